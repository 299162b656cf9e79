import type { Writable } from "node:stream";
import type { Terminal } from "../reporter.ts";
import type { CommandContext } from "../run-command.ts";

/** The parameters of every command of `account`. */
export interface AccountCommandContext extends CommandContext {
  out: Writable;
  err: Terminal;
  /** The input for a password or a confirmation. */
  input: NodeJS.ReadableStream;
}
