import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

/** A logger that writes one JSON line per event to standard output, or to `destination`. */
export function createLog(name: string, level: string, destination?: DestinationStream): Log {
  const options = { name, level, base: { name }, redact: ["password", "*.password", "sessionId", "*.sessionId"] };
  return destination ? pino(options, destination) : pino(options);
}
