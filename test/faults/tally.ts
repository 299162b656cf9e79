/** Counts how requests were answered, and tells failures during a fault from those that nothing excuses. */
export interface Tally {
  /** Notes a request's beginning; call what it returns with its answer, such as `200`, `503` or `Unavailable`. */
  begin(side: Side): (answer: string) => void;
  /** From now on requests may fail: something is broken. */
  breaks(): void;
  /** From now on requests may not fail. Those begun before may still. */
  heals(): void;
  /** Failures by their answer, with how often. */
  errors: Map<string, number>;
  /** What was answered that may not be, with when. */
  strays: string[];
}

export type Side = "public" | "rpc";

/** What the contract lets a client see while something is broken (503, 504), and what neighbours see (design §7). */
const allowed: Record<Side, readonly string[]> = {
  public: ["503", "504"],
  rpc: ["Unavailable", "DeadlineExceeded", "Aborted"],
};
const good = ["200", "Ok"];

/** @param alsoAllowed what this fault may show beside: `broken` where the process that clients are connected to dies */
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
        if (![...allowed[side], ...alsoAllowed].includes(answer)) tally.strays.push(`${took}, which is none of ours`);
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
