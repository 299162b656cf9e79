import { resolve } from "node:path";
import { type EnvironmentReader, readEnvironment } from "../../platform/environment.ts";

/** Where the data to back up or to replace is: in the home of `npm start`, unless there are URLs of the services. */
export type BackupConfig = ReturnType<typeof readConfig>;

/** Reads the settings that the services and `npm start` use. @throws ConfigurationError naming every fault */
export function loadBackupConfig(env: NodeJS.ProcessEnv = process.env): BackupConfig {
  return readEnvironment(env, readConfig);
}

function readConfig(read: EnvironmentReader) {
  const schemes = ["postgres", "postgresql"];
  const shared = read.secretUrl("DATABASE_URL", schemes, "The database of both services.");
  const account = read.secretUrl("ACCOUNT_DATABASE_URL", schemes, "The database of accounts.") ?? shared;
  const social = read.secretUrl("SOCIAL_DATABASE_URL", schemes, "The database of profiles and statuses.") ?? shared;
  const home = resolve(read.text("ROOST_HOME", ".roost", "The folder for the data."));
  if ((account === undefined) !== (social === undefined)) {
    read.refuse(`DATABASE_URL or ${account === undefined ? "ACCOUNT" : "SOCIAL"}_DATABASE_URL must be set`);
  }
  return { home, urls: account === undefined || social === undefined ? undefined : { account, social } };
}
