import { resolve } from "node:path";
import { type EnvironmentReader, readEnvironment } from "../platform/environment.ts";
import { checkSettings } from "./check-settings.ts";

/** Settings of the whole system on one machine. */
export type LocalConfig = ReturnType<typeof readConfig>;

/**
 * Reads and checks the environment, for the launcher and for the processes that it starts.
 * @returns the settings, and a sentence for each variable that looks like a misspelled one
 * @throws ConfigurationError naming every fault
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): { config: LocalConfig; warnings: string[] } {
  const read = (reader: EnvironmentReader) => readConfig(reader, env);
  const warnings = checkSettings(env, read);
  return { config: readEnvironment(env, read), warnings };
}

/** Reads the settings of `npm start` itself, not those of the processes. */
export function readConfig(read: EnvironmentReader, environment: NodeJS.ProcessEnv = {}) {
  const host = read.text(
    "HOST",
    "127.0.0.1",
    "The gateway's address. The services use it too if it is `0.0.0.0` or `::`, otherwise loopback.",
  );
  const accountPort = read.integer("ACCOUNT_PORT", 4001, 1, 65_535, "The account service's port.");
  const socialPort = read.integer("SOCIAL_PORT", 4002, 1, 65_535, "The social service's port.");
  const gatewayPort = read.integer("GATEWAY_PORT", 8080, 0, 65_535, "The gateway's port; 0 picks a free one.");
  return {
    home: resolve(read.text("ROOST_HOME", ".roost", "The folder for the data and the logs.")),
    hasDatabase: hasDatabase(read),
    hasRedis: hasRedis(read),
    host,
    ports: { GATEWAY_PORT: gatewayPort, ACCOUNT_PORT: accountPort, SOCIAL_PORT: socialPort },
    // On loopback, the services need no token among themselves.
    serviceHost: ["0.0.0.0", "::"].includes(host) ? host : "127.0.0.1",
    accountUrl: read.url(
      "ACCOUNT_URL",
      `http://127.0.0.1:${accountPort}`,
      "The account service's address for the other processes.",
    ),
    socialUrl: read.url(
      "SOCIAL_URL",
      `http://127.0.0.1:${socialPort}`,
      "The social service's address for the other processes.",
    ),
    serviceTokens: read.serviceTokens(),
    // On one machine all clients have one address.
    rateLimits: read.choice("RATE_LIMITS", "off", ["on", "off"], "Whether registrations and sign-ins are limited."),
    /** What the processes inherit. */
    environment,
  };
}

function hasRedis(read: EnvironmentReader): boolean {
  return (
    read.secret("REDIS_URL", "A Redis to use. Otherwise a `redis-server` on the path is started, if there is one.") !==
    undefined
  );
}

function hasDatabase(read: EnvironmentReader): boolean {
  const shared = read.secret(
    "DATABASE_URL",
    "A database to use instead of the embedded one; then no sample is loaded.",
  );
  const account = read.secret(
    "ACCOUNT_DATABASE_URL",
    "The same for the account service; then SOCIAL_DATABASE_URL too.",
  );
  const social = read.secret("SOCIAL_DATABASE_URL", "The same for the social service; then ACCOUNT_DATABASE_URL too.");
  if (shared !== undefined) return true;
  // With one alone both services would silently use the embedded database.
  if ((account === undefined) !== (social === undefined)) {
    read.refuse(`DATABASE_URL or ${account === undefined ? "ACCOUNT" : "SOCIAL"}_DATABASE_URL must be set`);
  }
  return account !== undefined && social !== undefined;
}
