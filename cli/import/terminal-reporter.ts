import type { ImportReporter, Progress } from "./reporter.ts";

/** The part of a stream that the reporter needs; process.stderr is one. */
export interface Terminal {
  write(text: string): unknown;
  isTTY?: boolean;
}

/**
 * Reports to a person: on a terminal a bar that is drawn over itself, elsewhere (a log, a pipe) a line every few
 * seconds. Refusals are a line each.
 * @param now a clock in milliseconds.
 */
export function terminalReporter(out: Terminal, now: () => number = Date.now): ImportReporter & { done(): void } {
  const draw = out.isTTY === true;
  const pause = draw ? 100 : 3_000;
  let nextAt = now() + (draw ? 0 : pause);
  const clear = () => draw && out.write("\r\x1b[K");
  return {
    refused(place, reason) {
      clear();
      out.write(`${printable(place)}: ${printable(reason)}\n`);
    },
    progress(progress) {
      if (now() < nextAt) return;
      nextAt = now() + pause;
      if (draw) out.write(`\r\x1b[K${bar(progress)}`);
      else out.write(`${words(progress)}\n`);
    },
    /** Takes the bar away. */
    done() {
      clear();
    },
  };
}

function bar(progress: Progress): string {
  const filled = Math.round((progress.share ?? 0) * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${words(progress)}`;
}

const width = 30;

function words({ phase, done, share }: Progress): string {
  const percent = share === undefined ? "" : ` (${Math.floor(share * 100)} %)`;
  if (phase === "users" || phase === "statuses") return `sent ${done} ${phase}${percent}`;
  const [verb, things] = verbs[phase];
  return `${verb} ${done} ${things}${percent}`;
}

const verbs = {
  reading: ["read", "items"],
  undoing: ["removed", "statuses"],
  exporting: ["exported", "statuses"],
} as const;

// A file name or a reason must not steer the terminal.
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "\u{fffd}");
}
