import { readEnvironment } from "../platform/environment.ts";

/** Settings of the account service. */
export interface AccountConfig {
  host: string;
  port: number;
  logLevel: string;
  databaseUrl: string;
  socialUrl: string;
  serviceToken: string | undefined;
  password: {
    /** Code points. */
    minLength: number;
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
    password: { minLength: read.integer("PASSWORD_MIN_LENGTH", 8, 1, 128) },
    // Two weeks: long enough not to annoy, short enough that a forgotten session ends.
    session: { maxAge: read.integer("SESSION_MAX_AGE", 14 * 24 * 3600, 60, 400 * 24 * 3600) },
    continueOrigins: read
      .optional("CONTINUE_ORIGINS")
      ?.split(",")
      .map((origin) => origin.trim()),
  }));
}
