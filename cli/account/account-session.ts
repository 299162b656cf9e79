import type { Terminal } from "../reporter.ts";
import type { Session } from "../run-command.ts";

/** What every command of `account` is given. */
export interface AccountSession extends Session {
  out: Terminal;
  err: Terminal;
  /** The input for a password or a confirmation. */
  input: NodeJS.ReadableStream;
}
