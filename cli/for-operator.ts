import { ConfigurationError } from "../services/platform/environment.ts";
import { ArchiveFault } from "./archive/fault.ts";
import { UnknownUser } from "./as-user/find-account.ts";
import { ImportStopped } from "./import/call.ts";
import { UnreadableFiles } from "./import/file-source.ts";
import type { Terminal } from "./import/terminal-reporter.ts";

/**
 * Runs a command; what it throws for the operator is printed, and is exit code 1. Anything else is a defect and is thrown on.
 * @param what goes before the message, such as a file's name.
 */
export async function forOperator(err: Terminal, command: () => Promise<number>, what = ""): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!kinds.some((kind) => error instanceof kind) && !isOfSystem(error)) throw error;
    // A name in an archive must not steer the terminal.
    const message = (error as Error).message.replace(/(?!\n)\p{Cc}/gu, "\u{fffd}");
    err.write(error instanceof ArchiveFault ? `${what}${message}\nNothing was imported.\n` : `${message}\n`);
    return 1;
  }
}

const kinds = [ArchiveFault, ConfigurationError, ImportStopped, UnknownUser, UnreadableFiles];

/** A disk that is full or a folder that is not there: Node names the call that failed. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
