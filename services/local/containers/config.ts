import { type EnvironmentReader, readEnvironment } from "../../platform/environment.ts";
import type { SampleConfig } from "../load-sample.ts";

/** Settings of the task that makes secrets. */
export type SecretsConfig = ReturnType<typeof readSecretsConfig>;

/** Reads and checks the environment of a task. @throws ConfigurationError naming every fault */
export function readTask<T>(read: (reader: EnvironmentReader) => T): T {
  return readEnvironment(process.env, read);
}

/** Reads the settings of the task `secrets`. */
export function readSecretsConfig(read: EnvironmentReader) {
  return {
    folder: read.text("SECRETS_HOME", "/secrets", "The folder with one folder for each process that reads secrets."),
    databaseHost: read.text("DATABASE_HOST", "postgres:5432", "Host and port of Postgres."),
    databaseName: read.text("DATABASE_NAME", "roost", "The database that both services share."),
  };
}

/** Reads the settings of the task `database`. */
export function readDatabaseConfig(read: EnvironmentReader) {
  return {
    adminUrl: read.databaseUrl(["ADMIN_DATABASE_URL"], "The administrator's URL, for creating roles and databases."),
    serviceUrls: [
      read.databaseUrl(["ACCOUNT_DATABASE_URL"], "The account service's URL, with its role, password and database."),
      read.databaseUrl(["SOCIAL_DATABASE_URL"], "The social service's URL, with its role, password and database."),
    ],
  };
}

/** Reads the settings of the task `sample`. */
export function readSampleConfig(read: EnvironmentReader): SampleConfig {
  return {
    home: read.text("ROOST_HOME", ".roost", "The folder of the file that says whether the sample was loaded."),
    hasDatabase: false,
    accountUrl: read.url("ACCOUNT_URL", "http://127.0.0.1:4001", "Where the account service is."),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002", "Where the social service is."),
    serviceTokens: read.serviceTokens(),
  };
}
