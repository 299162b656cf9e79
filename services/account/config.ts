import { readEnvironment } from "../platform/environment.ts";

/** Settings of the account service. */
export interface AccountConfig {
  host: string;
  port: number;
  logLevel: string;
  databaseUrl: string;
  socialUrl: string;
  serviceToken: string | undefined;
  passwords: {
    /** Code points. */
    minLength: number;
    /** KiB that a hash takes. */
    memory: number;
    /** How often a hash goes over its memory. */
    passes: number;
    /** Milliseconds of hashing that may wait before more is turned away. */
    patience: number;
  };
  session: {
    /** Seconds that a signed-in session lives. */
    maxAge: number;
  };
  /** Origins that `continue` may lead to; paths always may. Undefined: any. */
  continueOrigins: readonly string[] | undefined;
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): AccountConfig {
  return readEnvironment(env, (read) => ({
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("ACCOUNT_PORT", 4001, 0, 65_535),
    logLevel: read.logLevel(),
    databaseUrl: read.required("ACCOUNT_DATABASE_URL", "DATABASE_URL"),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002"),
    serviceToken: read.optional("SERVICE_TOKEN"),
    passwords: {
      minLength: read.integer("PASSWORD_MIN_LENGTH", 8, 1, 128),
      // OWASP's parameters for Argon2id: about 13 ms of one core. Larger ones reach each hash at the next sign-in.
      memory: read.integer("PASSWORD_HASH_MEMORY_KIB", 19_456, 8, 4_194_304),
      passes: read.integer("PASSWORD_HASH_PASSES", 2, 1, 100),
      // People wait that long without trying again.
      patience: read.integer("PASSWORD_QUEUE_MS", 2_000, 1, 60_000),
    },
    // Two weeks: long enough not to annoy, short enough that a forgotten session ends.
    session: { maxAge: read.integer("SESSION_MAX_AGE", 14 * 24 * 3600, 60, 400 * 24 * 3600) },
    continueOrigins: read
      .optional("CONTINUE_ORIGINS")
      ?.split(",")
      .map((origin) => origin.trim()),
  }));
}
