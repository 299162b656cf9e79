/** Receives the progress of a command. */
export interface Reporter {
  /** An item was refused. `place` is a position such as "tweets.json[17].retweeted_status". */
  refused(place: string, reason: string): void;
  /** Called for every item; the reporter decides how often it shows that. */
  progress(progress: Progress): void;
}

export interface Progress {
  phase: "reading" | "users" | "statuses" | "undoing" | "exporting";
  /** How many items, users or statuses. */
  done: number;
  /** How much of the phase is done, 0 to 1; undefined when that is not known. */
  share: number | undefined;
}

/** The part of a stream that the reporter needs; process.stderr is one. */
export interface Terminal {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Reports to a person, and remembers the last progress for the message of an interruption. */
export interface TerminalReporter extends Reporter {
  readonly latest: Progress | undefined;
  /** Removes the bar. */
  done(): void;
}

/**
 * On a terminal a bar that is redrawn in place, elsewhere (a log, a pipe) a line every three seconds; both with the rate
 * and the time left. Refusals are a line each.
 * @param now a clock in milliseconds.
 */
export function terminalReporter(out: Terminal, now: () => number = Date.now): TerminalReporter {
  const isTerminal = out.isTTY === true;
  const intervalMs = isTerminal ? 100 : 3_000;
  let nextAt = now() + (isTerminal ? 0 : intervalMs);
  let start: (Progress & { at: number }) | undefined;
  let latest: Progress | undefined;
  const clear = () => isTerminal && out.write("\r\x1b[K");
  return {
    get latest() {
      return latest;
    },
    refused(place, reason) {
      clear();
      out.write(`${printable(place)}: ${printable(reason)}\n`);
    },
    progress(progress) {
      latest = progress;
      if (start?.phase !== progress.phase) start = { ...progress, at: now() };
      if (now() < nextAt) return;
      nextAt = now() + intervalMs;
      const text = `${words(progress)}${pace(progress, start, now() - start.at)}`;
      out.write(isTerminal ? `\r\x1b[K${bar(progress)}${text}` : `${text}\n`);
    },
    done: clear,
  };
}

function bar({ share = 0 }: Progress): string {
  const filled = Math.round(share * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] `;
}

// Characters of the bar: with the longest text after it, it fits a line of 80.
const width = 20;

function words({ phase, done, share }: Progress): string {
  const percent = share === undefined ? "" : ` (${Math.floor(share * 100)} %)`;
  const [verb, things] = verbs[phase];
  return `${verb} ${done} ${things}${percent}`;
}

const verbs = {
  reading: ["read", "items"],
  users: ["sent", "users"],
  statuses: ["sent", "statuses"],
  undoing: ["removed", "statuses"],
  exporting: ["exported", "statuses"],
} as const;

/** Such as ", 1200/s, 40 s left"; empty in the first second, which is too short for a rate. */
function pace({ done, share }: Progress, start: Progress, elapsedMs: number): string {
  if (elapsedMs < 1_000) return "";
  const rate = `, ${Math.round(((done - start.done) * 1_000) / elapsedMs)}/s`;
  const shareDone = (share ?? 0) - (start.share ?? 0);
  if (share === undefined || shareDone <= 0) return rate;
  const seconds = Math.ceil((elapsedMs * (1 - share)) / shareDone / 1_000);
  return `${rate}, ${seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
}

/** Such as "1 report" or "2 reports". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A text that cannot control the terminal: control characters are replaced, and those that change the direction of text (Unicode
 * UAX 9) are written as \u202e.
 */
export function printable(text: string): string {
  return text
    .replace(/\p{Cc}/gu, "\u{fffd}")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${hex(mark)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
