import { type EnvironmentReader, readEnvironment } from "../services/platform/environment.ts";

/** Settings of the gateway. */
export interface GatewayConfig {
  host: string;
  port: number;
  logLevel: string;
  accountUrl: string;
  socialUrl: string;
  serviceToken: string | undefined;
  /** Origins beside our own from which the session cookie counts (contract §9). */
  corsOrigins: readonly string[];
  /** Addresses of proxies whose X-Forwarded headers are believed, as proxy-addr takes them; false: nobody's. */
  trustProxy: string[] | boolean;
  /** The Redis that keeps freshness tokens and pages; undefined: tokens are asked for, pages are kept in this process. */
  redisUrl: string | undefined;
  /** Milliseconds for which a token is kept (design §5, Δ). */
  freshnessMs: number;
  /** Milliseconds that Redis may take to answer before it counts as away. */
  redisTimeoutMs: number;
  /** Bytes of pages that this process keeps; 0 keeps nothing, anywhere. */
  pageCacheBytes: number;
  /** Milliseconds in which a request has to arrive in full; slower ones get 408. */
  requestTimeoutMs: number;
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readEnvironment(env, (read) => ({
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("GATEWAY_PORT", 8080, 0, 65_535),
    logLevel: read.logLevel(),
    accountUrl: read.url("ACCOUNT_URL", "http://127.0.0.1:4001"),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002"),
    serviceToken: read.optional("SERVICE_TOKEN"),
    corsOrigins: list(read, "CORS_ORIGINS"),
    trustProxy: trustedProxies(list(read, "TRUST_PROXY")),
    redisUrl: read.optional("REDIS_URL"),
    freshnessMs: read.integer("FRESHNESS_MS", 1_000, 50, 60_000),
    // A neighbour answers in less than one; the database would have answered in 50.
    redisTimeoutMs: read.integer("REDIS_TIMEOUT_MS", 50, 1, 10_000),
    // 64 MiB: two thousand pages of twenty statuses, and a process of under 300 MB.
    pageCacheBytes: read.integer("PAGE_CACHE_BYTES", 64 * 1024 * 1024, 0, 64 * 1024 ** 3),
    // Half a minute: a body of 1 MiB over a slow line arrives in it, and a client that only dawdles holds no socket.
    requestTimeoutMs: read.integer("REQUEST_TIMEOUT_MS", 30_000, 100, 300_000),
  }));
}

function list(read: EnvironmentReader, name: string): string[] {
  const items = read.optional(name)?.split(",") ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

// "true" is for a gateway that only its proxy can reach.
function trustedProxies(addresses: string[]): string[] | boolean {
  if (addresses.length === 0) return false;
  return addresses.length === 1 && addresses[0] === "true" ? true : addresses;
}
