import { readEnvironment } from "../platform/environment.ts";

/** Settings of the social service. */
export interface SocialConfig {
  host: string;
  port: number;
  logLevel: string;
  databaseUrl: string;
  serviceToken: string | undefined;
  /** How many weighted characters a status may have. */
  statusLength: number;
}

/** Reads and checks the environment. Throws ConfigurationError naming every fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): SocialConfig {
  return readEnvironment(env, (read) => ({
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("SOCIAL_PORT", 4002, 0, 65_535),
    logLevel: read.logLevel(),
    databaseUrl: read.required("SOCIAL_DATABASE_URL", "DATABASE_URL"),
    serviceToken: read.optional("SERVICE_TOKEN"),
    statusLength: read.integer("STATUS_LENGTH", 280, 60, 4_000),
  }));
}
