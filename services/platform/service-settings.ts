import type { EnvironmentReader } from "./environment.ts";
import { readTracing } from "./tracing/tracing.ts";

/**
 * Reads the settings of a service, each under the service's own name where several services share an environment.
 * @param name such as "SOCIAL"
 * @param holds the content of its database, for the description
 * @param direct the connections that do not use the pooler, for the description
 */
export function readServiceSettings(
  read: EnvironmentReader,
  { name, port, holds, direct }: { name: string; port: number; holds: string; direct: string },
) {
  return {
    host: read.text("HOST", "127.0.0.1", "The address to listen on."),
    port: read.integer(`${name}_PORT`, port, 0, 65_535, "The port to listen on; 0 picks a free one."),
    adminPort: read.adminPort(`${name}_ADMIN_PORT`),
    logLevel: read.logLevel(),
    ...readTracing(read),
    databaseUrl: read.databaseUrl([`${name}_DATABASE_URL`, "DATABASE_URL"], `The database of ${holds}.`),
    poolerUrl: read.secretUrl(
      `${name}_POOLER_URL`,
      ["postgres", "postgresql"],
      `The same database through a pooler in transaction mode, such as PgBouncer. Statements use it, unprepared; ${direct} do not.`,
    ),
    drainMs: read.drainMs("health"),
    serviceTokens: read.serviceTokens(),
  };
}

// A service checks each of these, and the gateway's page shows it.

/** Reads STATUS_LENGTH: weighted characters. */
export function readStatusLength(read: EnvironmentReader): number {
  const meaning = "Weighted characters that a status may have. The same for the social service and the gateway.";
  return read.integer("STATUS_LENGTH", 280, 60, 4_000, meaning);
}

/** Reads PASSWORD_MIN_LENGTH: code points. */
export function readPasswordMinLength(read: EnvironmentReader): number {
  const meaning = "Characters that a new password must have. The same for the account service and the gateway.";
  return read.integer("PASSWORD_MIN_LENGTH", 8, 1, 128, meaning);
}
