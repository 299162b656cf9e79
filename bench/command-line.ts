import type { ParseArgsConfig, parseArgs } from "node:util";
import { parseOptions, readCall } from "../services/platform/parse-options.ts";

/**
 * The command line of this process, by parseOptions. `--help` prints the help and ends the process with 0; a command line that
 * parseOptions rejects ends it as `refuse` does.
 * @param help one line of usage, the meaning of the arguments, and examples
 */
export function readCommandLine<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
  const call = readCall(process.argv.slice(2), help, () => parseOptions(config), {
    print: console.log,
    refuse: console.error,
  });
  return typeof call === "number" ? process.exit(call) : call;
}

/** Prints why a command line is not accepted, with the help, and ends the process with 2. */
export function refuse(help: string, reason: string): never {
  console.error(`${reason}\n\n${help}`);
  process.exit(2);
}
