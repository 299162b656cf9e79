import { resolve } from "node:path";
import { readEnvironment } from "../platform/environment.ts";

/** Settings of the whole system on one machine. */
export interface LocalConfig {
  /** The folder that holds the data and the logs. */
  home: string;
  /** Whether somebody brings a database of their own; then no Postgres is started and no sample data loaded. */
  hasDatabase: boolean;
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
    hasDatabase:
      read.optional("DATABASE_URL") !== undefined ||
      (read.optional("ACCOUNT_DATABASE_URL") !== undefined && read.optional("SOCIAL_DATABASE_URL") !== undefined),
    accountUrl: read.url("ACCOUNT_URL", `http://127.0.0.1:${read.integer("ACCOUNT_PORT", 4001, 1, 65_535)}`),
    socialUrl: read.url("SOCIAL_URL", `http://127.0.0.1:${read.integer("SOCIAL_PORT", 4002, 1, 65_535)}`),
    serviceToken: read.optional("SERVICE_TOKEN"),
    environment: env,
  }));
}
