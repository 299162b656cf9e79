import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * The command line of this process, by parseArgs. `--help` prints the help and ends the process with 0; what parseArgs does
 * not know ends it as `refuse` does.
 * @param help one line of usage, what the words mean, and examples
 */
export function readCommandLine<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(help, (error as Error).message);
  }
}

/** Says why a command line is not accepted, with the help, and ends the process with 2. */
export function refuse(help: string, reason: string): never {
  console.error(`${reason}\n\n${help}`);
  process.exit(2);
}
