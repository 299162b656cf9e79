import { type ParseArgsConfig, parseArgs } from "node:util";

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

/** The word that is at most two edits away, a third of its letters at most: the nearest, of several the first. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((one) => ({ one, edits: editsBetween(word, one) }))
    .filter(({ one, edits }) => edits <= Math.min(2, one.length / 3));
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.one;
}

/** How many letters have to be added, removed, replaced or exchanged with their neighbour (the optimal string alignment distance). */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], [...b, ""].map((_, index) => index)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const at = (line: number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY;
      const isExchange = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + cost,
          isExchange ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
