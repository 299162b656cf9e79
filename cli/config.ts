import { readEnvironment } from "../services/platform/environment.ts";

/** What the operator's tool needs to know to reach the services. */
export interface CliConfig {
  accountUrl: string;
  socialUrl: string;
  /** Needed when the services run on another machine. */
  serviceToken: string | undefined;
}

/**
 * Reads ACCOUNT_URL, SOCIAL_URL and SERVICE_TOKEN; by default the services are where `npm start` puts them.
 * @throws ConfigurationError naming every faulty variable.
 */
export function readCliConfig(env: NodeJS.ProcessEnv = process.env): CliConfig {
  return readEnvironment(env, (read) => ({
    accountUrl: read.url("ACCOUNT_URL", "http://127.0.0.1:4001"),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002"),
    serviceToken: read.optional("SERVICE_TOKEN"),
  }));
}
