import { type EnvironmentReader, readEnvironment } from "../services/platform/environment.ts";

/** How the operator's tool reaches the services. */
export type CliConfig = ReturnType<typeof readConfig>;

/**
 * Reads the environment; by default the services are where `npm start` puts them.
 * @throws ConfigurationError naming every faulty variable.
 */
export function readCliConfig(env: NodeJS.ProcessEnv = process.env): CliConfig {
  return readEnvironment(env, readConfig);
}

/** What the operator's tool asks of its environment. */
export function readConfig(read: EnvironmentReader) {
  const account = read.integer("ACCOUNT_PORT", 4001, 1, 65_535, "The account service's port on this machine.");
  const social = read.integer("SOCIAL_PORT", 4002, 1, 65_535, "The social service's port on this machine.");
  return {
    accountUrl: read.url("ACCOUNT_URL", `http://127.0.0.1:${account}`, "Where the account service is."),
    socialUrl: read.url("SOCIAL_URL", `http://127.0.0.1:${social}`, "Where the social service is."),
    serviceTokens: read.serviceTokens(),
  };
}
