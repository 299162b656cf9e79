import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { UserError } from "../errors.ts";
import type { Terminal } from "../reporter.ts";
import type { CommandContext } from "../run-command.ts";

/** The parameters of every command of `account`. */
export interface AccountCommandContext extends CommandContext {
  out: Writable;
  err: Terminal;
  /** The input for a password or a confirmation. */
  input: NodeJS.ReadableStream;
}

/** The first line of an input, without its end; empty when there is none. Nothing of the rest is read. */
export async function readLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
  }
}

/** Writes a line that is shown only once. @throws UserError when its reader has closed the pipe */
export function writeSecret(out: Writable, secret: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(`${secret}\n`, (error) => (error ? reject(new UserError(lost)) : resolve()));
  });
}

const lost = "Standard output is closed: what was to be written there is lost. Run the command again for another one.";

/** Such as 2026-01-02 03:04 UTC. */
export function timeOf(time: Timestamp | undefined): string {
  return time === undefined ? "–" : `${timestampDate(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The time of a date of the contract, such as "Wed Aug 27 13:08:45 +0000 2008". */
export function timeOfContract(date: string): string {
  return timeOf(timestampFromDate(new Date(date)));
}
