import type { EnvironmentReader } from "./environment.ts";

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
