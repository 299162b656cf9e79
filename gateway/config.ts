import { type EnvironmentReader, readEnvironment } from "../services/platform/environment.ts";
import { readRedisSettings } from "../services/platform/redis/settings.ts";
import { readPasswordMinLength, readStatusLength } from "../services/platform/service-settings.ts";
import { readTracing } from "../services/platform/tracing/tracing.ts";
import { readBalancers, readTrustedProxies } from "./http/sockets/trusted-proxies.ts";

export type PublicOperations = "interface" | "all";

/** Settings of the gateway. */
export type GatewayConfig = ReturnType<typeof readConfig>;

/** Reads and checks the environment. @throws ConfigurationError naming every fault */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readEnvironment(env, readConfig);
}

/** Reads the settings of the gateway. */
export function readConfig(read: EnvironmentReader) {
  return {
    host: read.text("HOST", "127.0.0.1", "The address to listen on."),
    port: read.integer("GATEWAY_PORT", 8080, 0, 65_535, "The port to listen on; 0 picks a free one."),
    adminPort: read.adminPort("GATEWAY_ADMIN_PORT"),
    logLevel: read.logLevel(),
    ...readTracing(read),
    accountUrl: read.url("ACCOUNT_URL", "http://127.0.0.1:4001", "Where the account service is."),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002", "Where the social service is."),
    publicOperations: read.choice<PublicOperations>(
      "PUBLIC_OPERATIONS",
      "all",
      ["interface", "all"],
      "Which operations are served: all, or only `Registration`, `SocialUsers` and `SocialTimelines`.",
    ),
    statusLength: readStatusLength(read),
    passwordMinLength: readPasswordMinLength(read),
    serviceTokens: read.serviceTokens(),
    corsOrigins: read.origins("CORS_ORIGINS", "Origins of other sites from which the session cookie counts."),
    trustProxy: readTrustedProxies(read),
    proxyProtocolFrom: readBalancers(read),
    ...readRedisSettings(read, "The Redis in which gateways share pages. Without one each gateway caches pages alone."),
    pageCacheBytes: readPageCacheBytes(read),
    // By default a read shows every write that was answered before it began.
    reuseVersionsMs: read.integer(
      "REUSE_VERSIONS_MS",
      0,
      0,
      60_000,
      "Milliseconds for which a gateway may use again what it was told about versions and sessions. Reads cost less, and may be that much late: a write may show, and an ended session count, so long. 0: each read asks.",
    ),
    ...readTimes(read),
    ...readMaxima(read),
    drainMs: read.drainMs("`/readyz`"),
  };
}

function readPageCacheBytes(read: EnvironmentReader): number {
  // 32 MiB: 900 timelines of twenty statuses.
  const bytes = read.integer(
    "PAGE_CACHE_BYTES",
    32 * 1024 * 1024,
    0,
    64 * 1024 ** 3,
    `Bytes of pages that this process caches, at least ${minCacheBytes}; 0 turns the cache off, in Redis too.`,
  );
  if (bytes > 0 && bytes < minCacheBytes) read.refuse(`PAGE_CACHE_BYTES must be 0, or at least ${minCacheBytes}`);
  return bytes;
}

/** The cache is divided into parts, of which each needs some room. */
const minCacheBytes = 1_024;

function readTimes(read: EnvironmentReader) {
  return {
    // Half a minute: enough for a body of 1 MiB over a slow line, and the longest that a stalled client holds a socket.
    requestTimeoutMs: read.integer(
      "REQUEST_TIMEOUT_MS",
      30_000,
      100,
      300_000,
      "Milliseconds within which a request must arrive in full; slower ones get 408.",
    ),
    // Ten seconds: people do not wait longer for an answer.
    serviceTimeoutMs: read.integer(
      "SERVICE_TIMEOUT_MS",
      10_000,
      100,
      60_000,
      "Milliseconds within which an arrived request must be answered, with all calls to services; slower ones get 504.",
    ),
  };
}

function readMaxima(read: EnvironmentReader) {
  return {
    // Two seconds of work for one process.
    maxConcurrent: read.integer(
      "MAX_CONCURRENT_REQUESTS",
      5_000,
      1,
      1_000_000,
      "Requests that may be worked on at once; above, 503.",
    ),
    maxLoopDelayMs: read.integer(
      "MAX_EVENT_LOOP_DELAY_MS",
      1_000,
      0,
      60_000,
      "Milliseconds that a turn of the event loop may take. If the median is above that in two consecutive seconds, requests get 503; 0 for no limit.",
    ),
    // A browser has one for all of its tabs; some people are behind one address.
    streamsPerAddress: read.integer(
      "STREAMS_PER_ADDRESS",
      8,
      0,
      1_000_000,
      "Live streams that one address (IPv6: one /64) may have open at a gateway; 0 for no limit. Above, 429.",
    ),
    // A connection with its stream takes about 50 KB: set it lower where a gateway has less than 3 GB.
    maxStreams: read.integer("MAX_STREAMS", 50_000, 1, 1_000_000, "Live streams that may be open; above, 503."),
  };
}
