import { writeSync } from "node:fs";
import { type DestinationStream, type Logger, pino } from "pino";

export type Log = Logger;

/** A logger that writes one JSON line per event to standard output, or to `destination`. */
export function createLog(name: string, level: string, destination: DestinationStream = standardOutput): Log {
  const serializers = { err: shownError };
  return pino({ level, base: { name }, formatters: { log: withoutSecrets }, serializers }, destination);
}

/**
 * An error without the fields that libraries add, such as a command with its password or the values of a row, and without the arguments
 * that Redis repeats of a command that it does not know.
 */
function shownError(error: unknown): unknown {
  return error instanceof Error ? shownFields(pino.stdSerializers.err(error)) : error;
}

function shownFields(error: object): object {
  const entries = Object.entries(error).filter(([name]) => errorFields.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return (value as object[]).map(shownFields);
  return typeof value === "string" ? shownText(value.replace(/, with args beginning with:.*/g, "")) : value;
}

/** A text of another process may be of any length, and may have characters that end a line or control a terminal and that JSON does not escape. */
function shownText(text: string): string {
  const [start, end] = [text.slice(0, maxTextLength / 2), text.slice(-maxTextLength / 2)];
  // The message is at the beginning; a stack names the outermost place at its end.
  const short = text.length > maxTextLength ? `${start} … ${end}` : text;
  return short.replace(/[\x7f-\x9f\u2028\u2029]/g, "\u{fffd}");
}

const maxTextLength = 4_000;

const errorFields = new Set([
  "type",
  "message",
  "stack",
  "code",
  "syscall",
  "aggregateErrors",
  // Of Postgres.
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
]);

/** Names of fields that no line shows. A second guard: our code logs no request as a whole. */
const secrets = new Set([
  "password",
  "currentPassword",
  "newPassword",
  "sessionId",
  "serviceToken",
  "serviceTokens",
  "cookie",
  "set-cookie",
  "authorization",
  "roost-service-token",
  "roost-session",
]);

/**
 * A line with its secrets, known by their names, hidden down to the fourth level. Not by the library's `redact`: its wildcards
 * take 6 µs a line, a third of the time of a cached page, and find nothing below the second level.
 */
function withoutSecrets<T extends object>(line: T, levels = 4): T {
  let shown = line;
  for (const [key, value] of Object.entries(line) as [keyof T & string, unknown][]) {
    const isDeeper = typeof value === "object" && value !== null && levels > 1 && !(value instanceof Error);
    const instead = secrets.has(key) ? "[hidden]" : isDeeper ? withoutSecrets(value, levels - 1) : value;
    if (instead === value) continue;
    if (shown === line) shown = (Array.isArray(line) ? [...line] : { ...line }) as T;
    shown[key] = instead as T[typeof key];
  }
  return shown;
}

/**
 * Standard output for the lines of a log. Lines that cannot be written, such as on a full disk, are lost. The library's own destination
 * throws such an error and then tries for ever to write the rest, so that the process neither serves nor ends.
 */
const standardOutput: DestinationStream = { write };

const fd = 1;
/** Milliseconds after which a pipe that is full is tried again, and how often until the line is lost. */
const busyMs = 10;
const attempts = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

function write(line: string): void {
  let rest = Buffer.from(line);
  for (let attempt = 0; rest.length > 0 && attempt < attempts; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      attempt++;
      Atomics.wait(pause, 0, 0, busyMs);
    }
  }
}

/** Notes a state; `write` logs it, and is called only if the state differs from the last logged one. */
type NoteState = (state: boolean, write: () => void) => void;

/**
 * Logs the changes of a state, at most ten in a minute: one that changes often would fill the log. After them the state is logged again
 * when the minute is over.
 * @param logged the state that needs no line at first
 */
export function logChanges(logged?: boolean, minuteMs = 60_000): NoteState {
  let begun = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let latest: Parameters<NoteState>;
  let isWaiting = false;

  function writeLatest(): void {
    isWaiting = false;
    const [state, write] = latest;
    if (state === logged) return;
    const now = performance.now();
    if (now - begun >= minuteMs) {
      begun = now;
      lines = 0;
    }
    if (lines < maxLines) {
      lines++;
      logged = state;
      write();
    } else {
      isWaiting = true;
      setTimeout(writeLatest, begun + minuteMs - now + 1).unref();
    }
  }

  return (...noted) => {
    latest = noted;
    if (!isWaiting) writeLatest();
  };
}

/** Lines in a minute. */
const maxLines = 10;
