import { type EnvironmentReader, readEnvironment } from "../platform/environment.ts";
import type { TracingOptions } from "../platform/tracing/tracing.ts";

/** Settings of the social service. */
export interface SocialConfig extends TracingOptions {
  host: string;
  port: number;
  /** The port for metrics; undefined for none. */
  adminPort: number | undefined;
  logLevel: string;
  databaseUrl: string;
  /** The same database by a pooler in transaction mode; undefined: there is none. */
  poolerUrl: string | undefined;
  /** Milliseconds between saying that it stops and refusing connections. */
  drainMs: number;
  /** What admits callers from elsewhere. */
  serviceTokens: readonly string[];
  /** Where gateways store freshness tokens: one Redis, or nodes of a Redis Cluster; none: nowhere. */
  redisUrls: readonly string[];
  /** Milliseconds for which a token may be stored (design §5, Δ). */
  freshnessMs: number;
  /** Milliseconds that Redis may take to answer before it counts as unavailable. */
  redisTimeoutMs: number;
  /** How many weighted characters a status may have. */
  statusLength: number;
  /** How often a user may write; 0 for as often as they like. */
  writeLimits: {
    /** Within three hours. */
    statuses: number;
    /** Within a day. */
    follows: number;
    /** Within a day. */
    marks: number;
    /** Where the processes count together; undefined: each alone. */
    redisUrl: string | undefined;
    redisTimeoutMs: number;
  };
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): SocialConfig {
  return readEnvironment(env, readConfig);
}

/** What the social service asks of its environment. */
export function readConfig(read: EnvironmentReader): SocialConfig {
  // A Redis nearby answers in less than 1 ms; without Redis the database would have answered within 50 ms.
  const redisTimeoutMs = read.integer(
    "REDIS_TIMEOUT_MS",
    50,
    1,
    10_000,
    "Milliseconds that Redis has for an answer; later ones count as none.",
  );
  return {
    host: read.text("HOST", "127.0.0.1", "The address to listen on."),
    port: read.integer("SOCIAL_PORT", 4002, 0, 65_535, "The port to listen on; 0 picks a free one."),
    adminPort: read.adminPort("SOCIAL_ADMIN_PORT"),
    logLevel: read.logLevel(),
    ...read.tracing(),
    databaseUrl: read.databaseUrl(["SOCIAL_DATABASE_URL", "DATABASE_URL"], "The database of profiles and statuses."),
    poolerUrl: read.secretUrl(
      "SOCIAL_POOLER_URL",
      ["postgres", "postgresql"],
      "The same database by a pooler in transaction mode, such as PgBouncer. Statements go that way, unprepared; migrations do not.",
    ),
    drainMs: read.drainMs("health"),
    serviceTokens: read.serviceTokens(),
    redisUrls: read.secretUrls(
      "REDIS_URL",
      ["redis", "rediss"],
      "The Redis of the gateways, in which a write deletes the tokens that it made stale. The same for both, or none.",
    ),
    // One second: counters that other users change show within it, and a write waits no longer when Redis is unavailable.
    freshnessMs: read.integer(
      "FRESHNESS_MS",
      1_000,
      50,
      60_000,
      "Milliseconds that a freshness token lives, and that a write waits when Redis is unavailable. As for the gateway.",
    ),
    redisTimeoutMs,
    statusLength: read.integer("STATUS_LENGTH", 280, 60, 4_000, "Weighted characters that a status may have."),
    writeLimits: { ...readWriteLimits(read), redisTimeoutMs },
  };
}

// More than people do, and less than what makes others leave.
function readWriteLimits(read: EnvironmentReader): Omit<SocialConfig["writeLimits"], "redisTimeoutMs"> {
  const times = (name: string, fallback: number, meaning: string) =>
    read.integer(name, fallback, 0, 1_000_000, `${meaning}; 0 for no limit. Above, 429.`);
  return {
    statuses: times("STATUSES_PER_3_HOURS", 300, "Statuses, reposts included, that a user may publish in three hours"),
    follows: times("FOLLOWS_PER_DAY", 400, "Users whom a user may follow, or ask, in a day"),
    marks: times("MARKS_PER_DAY", 1_000, "Statuses that a user may mark as favourite in a day"),
    redisUrl: read.secretUrl(
      "RATE_LIMIT_REDIS_URL",
      ["redis", "rediss"],
      "The Redis in which all social services count these together. Without it, or while it is away, each counts alone.",
    ),
  };
}
