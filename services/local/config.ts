import { resolve } from "node:path";
import { type EnvironmentReader, readEnvironment } from "../platform/environment.ts";

/** Settings of the whole system on one machine. */
export interface LocalConfig {
  /** The folder that holds the data and the logs. */
  home: string;
  /** Whether somebody brings a database of their own; then no Postgres is started and no sample data loaded. */
  hasDatabase: boolean;
  /** Where the gateway listens. */
  host: string;
  /** Where the services listen: on loopback, so that they need no token among themselves, unless HOST is every address. */
  serviceHost: string;
  /** Where the processes find each other. */
  accountUrl: string;
  socialUrl: string;
  serviceToken: string | undefined;
  /** What the processes inherit. */
  environment: NodeJS.ProcessEnv;
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): LocalConfig {
  return readEnvironment(env, (read) => ({
    home: resolve(read.text("ROOST_HOME", ".roost")),
    hasDatabase: bringsDatabase(read),
    host: read.text("HOST", "127.0.0.1"),
    serviceHost: ["0.0.0.0", "::"].includes(read.text("HOST", "")) ? read.text("HOST", "") : "127.0.0.1",
    accountUrl: read.url("ACCOUNT_URL", `http://127.0.0.1:${read.integer("ACCOUNT_PORT", 4001, 1, 65_535)}`),
    socialUrl: read.url("SOCIAL_URL", `http://127.0.0.1:${read.integer("SOCIAL_PORT", 4002, 1, 65_535)}`),
    serviceToken: read.optional("SERVICE_TOKEN"),
    environment: env,
  }));
}

function bringsDatabase(read: EnvironmentReader): boolean {
  if (read.optional("DATABASE_URL") !== undefined) return true;
  const own = ["ACCOUNT_DATABASE_URL", "SOCIAL_DATABASE_URL"].filter((name) => read.optional(name) !== undefined);
  // One alone would be overruled by the embedded database without a word.
  if (own.length === 1)
    read.required("DATABASE_URL", own[0] === "SOCIAL_DATABASE_URL" ? "ACCOUNT_DATABASE_URL" : "SOCIAL_DATABASE_URL");
  return own.length === 2;
}
