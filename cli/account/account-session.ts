import type { Terminal } from "../reporter.ts";
import type { Session } from "../run-command.ts";

/** What the commands of `account` work with. */
export interface AccountSession extends Session {
  out: Terminal;
  err: Terminal;
  /** Where a password or a confirmation is read. */
  input: NodeJS.ReadableStream;
}
