import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestWord } from "./nearest-word.ts";

/** Wrong arguments; the message says what is wrong with them. */
export class UsageError extends Error {}

/**
 * The arguments of a command, by parseArgs.
 * @throws UsageError for what parseArgs refuses; for a misspelled option it names the one that is probably meant
 */
export function parseOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(error.message) ?? [];
    const options = ["help", ...Object.keys(config.options ?? {})].map((name) => `--${name}`);
    const meant = unknown === undefined ? undefined : nearestWord(unknown, options);
    throw new UsageError(meant === undefined ? error.message : `Unknown option '${unknown}'. Did you mean ${meant}?`);
  }
}

/** Where a command writes what is asked of its command line. */
export interface UsageOutput {
  /** Prints the help that was asked for. */
  print(text: string): void;
  /** Prints what is wrong with the call, and the help. */
  refuse(text: string): void;
}

/**
 * Reads the call of a command.
 * @param read throws UsageError for a wrong call
 * @returns the call, or where there is nothing to run the exit code: 0 after `--help`, 2 for a wrong call
 */
export function readCall<Call extends object>(
  args: readonly string[],
  help: string,
  read: (args: string[]) => Call,
  { print, refuse }: UsageOutput,
): Call | 0 | 2 {
  if (args.includes("--help") || args.includes("-h")) {
    print(help);
    return 0;
  }
  try {
    return read([...args]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refuse(`${error.message}\n\n${help}`);
    return 2;
  }
}
