import type { Writable } from "node:stream";
import type { Terminal } from "../reporter.ts";
import type { CommandContext } from "../run-command.ts";

/** What every command of `account` is given. */
export interface AccountCommandContext extends CommandContext {
  out: Writable;
  err: Terminal;
  /** The input for a password or a confirmation. */
  input: NodeJS.ReadableStream;
}
