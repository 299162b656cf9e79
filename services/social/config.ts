import { readEnvironment } from "../platform/environment.ts";

/** Settings of the social service. */
export interface SocialConfig {
  host: string;
  port: number;
  logLevel: string;
  databaseUrl: string;
  serviceToken: string | undefined;
  /** Where gateways keep freshness tokens; undefined: nowhere. */
  redisUrl: string | undefined;
  /** Milliseconds for which they may (design §5, Δ). */
  freshnessMs: number;
  /** Milliseconds that Redis may take to answer before it counts as away. */
  redisTimeoutMs: number;
  /** How many weighted characters a status may have. */
  statusLength: number;
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): SocialConfig {
  return readEnvironment(env, (read) => ({
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("SOCIAL_PORT", 4002, 0, 65_535),
    logLevel: read.logLevel(),
    databaseUrl: read.required("SOCIAL_DATABASE_URL", "DATABASE_URL"),
    serviceToken: read.optional("SERVICE_TOKEN"),
    redisUrl: read.optional("REDIS_URL"),
    // A second: what others count shows within it, and a write waits no longer while Redis is away.
    freshnessMs: read.integer("FRESHNESS_MS", 1_000, 50, 60_000),
    // A neighbour answers in less than one; the database would have answered in 50.
    redisTimeoutMs: read.integer("REDIS_TIMEOUT_MS", 50, 1, 10_000),
    statusLength: read.integer("STATUS_LENGTH", 280, 60, 4_000),
  }));
}
