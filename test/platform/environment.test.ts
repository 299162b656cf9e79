import { availableParallelism } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ConfigurationError, type EnvironmentReader, readEnvironment } from "../../services/platform/environment.ts";
import { readRedisSettings } from "../../services/platform/redis/settings.ts";
import { limitThreadPool, poolThreads } from "../../services/platform/thread-pool.ts";
import { readTracing } from "../../services/platform/tracing/tracing.ts";
import { useFolder } from "../support/folder.ts";
import { suite } from "../support/suite.ts";

const Environment = suite("environment");
const { path: folder, write: file } = useFolder(Environment);

const build = (read: EnvironmentReader) => ({
  host: read.text("HOST", "127.0.0.1", "Where it listens."),
  port: read.integer("PORT", 80, 1, 65_535, "The port."),
  url: read.url("URL", "http://a.example", "Where the other is."),
  level: read.logLevel(),
  database: read.databaseUrl(["OWN_DATABASE", "DATABASE"], "Where rows are."),
  redis: read.secretUrl("REDIS", ["redis", "rediss"], "Where keys are."),
  tokens: read.serviceTokens(),
  origins: read.origins("ORIGINS", "Other sites."),
});

const databaseUrl = "postgres://me@localhost/mine";

function faultsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    readEnvironment(env, build);
  } catch (error) {
    assert.instance(error, ConfigurationError);
    assert.not.match((error as Error).message, "hush");
    return (error as ConfigurationError).faults;
  }
  return [];
}

Environment("fills in defaults, also for blank values", () => {
  const config = readEnvironment({ DATABASE: databaseUrl, HOST: " ", URL: "https://b.example/" }, build);
  assert.equal(config, {
    host: "127.0.0.1",
    port: 80,
    url: "https://b.example",
    level: "info",
    database: databaseUrl,
    redis: undefined,
    tokens: [],
    origins: [],
  });
});

Environment("reports all invalid settings at once without their values", () => {
  const env = { PORT: "70000", URL: "hush://x", LOG_LEVEL: "loud", REDIS: "redis://:hush@[", DATABASE: "hush" };
  assert.equal(faultsOf(env), [
    "PORT must be a whole number from 1 to 65535",
    "URL must be a URL of http or https",
    "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent",
    "DATABASE must be a URL of postgres or postgresql",
    "REDIS must be a URL of redis or rediss",
  ]);
  assert.equal(faultsOf({}), ["OWN_DATABASE or DATABASE must be set"]);
});

Environment("refuses a token that no header can hold, as of two lines", () => {
  for (const token of ["hush\nold", "new,hüsh", "hush\u0001"]) {
    assert.equal(faultsOf({ DATABASE: databaseUrl, SERVICE_TOKEN: token }), [
      "SERVICE_TOKEN must be printable ASCII on one line: it is sent as a header",
    ]);
  }
});

Environment("takes origins as browsers send them, and refuses what would never equal one", () => {
  const good = ["https://a.example", "http://localhost:3000", "https://[::1]:8443", "capacitor://localhost"];
  assert.equal(readEnvironment({ DATABASE: databaseUrl, ORIGINS: good.join(" , ") }, build).origins, good);
  for (const bad of ["a.example", "https://a.example/", "HTTPS://A.example", "https://a.example:443", "*", "null"]) {
    const faults = faultsOf({ DATABASE: databaseUrl, ORIGINS: `https://b.example,${bad}` });
    assert.equal(faults, ["ORIGINS must be origins such as https://a.example, without a path"], bad);
  }
});

Environment("reads a secret from the file of NAME_FILE, without the line break at its end", () => {
  const env = {
    DATABASE_FILE: file("database", `${databaseUrl}\n`),
    SERVICE_TOKEN_FILE: file("token", "new, old\r\n"),
  };
  const { database, tokens } = readEnvironment(env, build);
  assert.equal([database, tokens], [databaseUrl, ["new", "old"]]);
});

Environment("refuses a missing or empty file of a secret, and a secret with both value and file", () => {
  const twice = { DATABASE: databaseUrl, DATABASE_FILE: file("database", databaseUrl) };
  assert.equal(faultsOf({ REDIS_FILE: join(folder, "hush"), SERVICE_TOKEN_FILE: file("empty", " \n"), ...twice }), [
    "DATABASE and DATABASE_FILE must not both be set",
    "REDIS_FILE must name a file that can be read and is not empty",
    "SERVICE_TOKEN_FILE must name a file that can be read and is not empty",
  ]);
});

Environment("reads no file for a setting that is not a secret", () => {
  assert.is(readEnvironment({ DATABASE: databaseUrl, HOST_FILE: file("host", "h") }, build).host, "127.0.0.1");
});

Environment("refuses a URL of Redis that a client cannot read", () => {
  const refused = ["redis://:50%hush@a", "redis://a/hush", "rediss://a/1/2", "redis:hush", "redis:6379", "redis:///1"];
  const accepted = ["redis://:50%25hush@a", "redis://a/3", "rediss://a/", "redis://user:hush@a:1"];
  const faults = (REDIS: string) => faultsOf({ DATABASE: databaseUrl, REDIS }).length;
  assert.equal([...refused, ...accepted].map(faults), [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
});

Environment("refuses a query and a fragment of a URL to which paths are added", () => {
  for (const URL of ["http://a?hush", "http://a/b?", "https://a/#hush", "http://a#"]) {
    assert.equal(faultsOf({ DATABASE: databaseUrl, URL }), ["URL must be a URL of http or https without ? and #"], URL);
  }
});

Environment("refuses an address of traces that already has the path which is added to it", () => {
  const tracesOf = (OTEL_EXPORTER_OTLP_ENDPOINT: string) =>
    readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT }, readTracing).tracesUrl;
  assert.is(tracesOf("http://a:4318/v1/"), "http://a:4318/v1");
  for (const end of ["/v1/traces", "/v1/traces/", "/otlp/v1/traces"]) {
    const fault = "OTEL_EXPORTER_OTLP_ENDPOINT must be without /v1/traces, which is added to it";
    assert.throws(() => tracesOf(`http://a:4318${end}`), new RegExp(fault), end);
  }
});

Environment("refuses the number of a database for a Redis Cluster, which has one", () => {
  const urlsOf = (REDIS_URL: string) =>
    readEnvironment({ REDIS_URL }, (read) => readRedisSettings(read, "For keys.")).redisUrls;
  assert.equal(urlsOf("redis://a/3"), ["redis://a/3"]);
  assert.equal(urlsOf("redis://a,redis://b/,redis://c/0").length, 3);
  const fault = "REDIS_URL must not name a database of a Redis Cluster: it has one";
  assert.throws(() => urlsOf("redis://a,redis://b/3"), new RegExp(fault));
});

Environment.run();

const Pool = suite("the pool of threads");

Pool("has a thread for each processor, from two to four, unless the environment sets its size", () => {
  const before = process.env.UV_THREADPOOL_SIZE;
  for (const [given, threads] of [
    [undefined, Math.min(Math.max(availableParallelism(), 2), 4)],
    ["7", 7],
  ] as const) {
    if (given === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = given;
    limitThreadPool();
    assert.equal([process.env.UV_THREADPOOL_SIZE, poolThreads()], [`${threads}`, threads]);
  }
  if (before === undefined) delete process.env.UV_THREADPOOL_SIZE;
  else process.env.UV_THREADPOOL_SIZE = before;
});

Pool.run();
