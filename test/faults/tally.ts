/** Counts the answers to requests, and distinguishes failures during a fault from others. */
export interface Tally {
  /** Notes that a request begins; call the returned function with its answer, such as `200`, `503` or `Unavailable`. */
  begin(side: Side): (answer: string) => void;
  /** From now on requests may fail. */
  breaks(): void;
  /** From now on requests must not fail, except those begun before. */
  heals(): void;
  /** Failures by answer, with how often. */
  errors: Map<string, number>;
  /** Answers that must not be, with their time. */
  strays: string[];
}

export type Side = "public" | "rpc";

/** What the contract lets a client see during a fault (503, 504), and what services see of each other (design §7). */
const allowed: Record<Side, readonly string[]> = {
  public: ["503", "504"],
  rpc: ["Unavailable", "DeadlineExceeded", "Aborted"],
};
const good = ["200", "Ok"];

/**
 * @param alsoAllowed further answers that this fault may cause: `broken` when the process that clients are connected to is killed
 */
export function createTally(alsoAllowed: readonly string[] = []): Tally {
  let isBroken = false;
  let breaks = 0;
  const tally: Tally = {
    errors: new Map(),
    strays: [],
    begin(side) {
      const excused = isBroken;
      const before = breaks;
      const start = performance.now();
      return (answer) => {
        if (good.includes(answer)) return;
        tally.errors.set(answer, (tally.errors.get(answer) ?? 0) + 1);
        const took = `${side} ${answer} after ${Math.round(performance.now() - start)} ms`;
        if (![...allowed[side], ...alsoAllowed].includes(answer)) tally.strays.push(`${took}, which is not allowed`);
        else if (!excused && breaks === before) tally.strays.push(`${took}, with nothing broken`);
      };
    },
    breaks() {
      isBroken = true;
      breaks += 1;
    },
    heals: () => void (isBroken = false),
  };
  return tally;
}
