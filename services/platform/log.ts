import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

/** A logger that writes one JSON line per event to standard output, or to `destination`. */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const options = { name, level, base: { name }, redact: secrets };
  return destination ? pino(options, destination) : pino(options);
}

// The second line of defence: nobody logs a request in the first place.
const secrets = ["password", "currentPassword", "newPassword", "sessionId"].flatMap((name) => [name, `*.${name}`]);
