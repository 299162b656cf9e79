export type Side = "public" | "rpc";

/** What the contract lets a client see during a fault (503, 504), and what services see of each other (design §7). */
const allowed: Record<Side, readonly string[]> = {
  public: ["503", "504"],
  rpc: ["Unavailable", "DeadlineExceeded", "Aborted"],
};

/** Counts the answers to requests, and distinguishes failures during a fault from others. */
export class Tally {
  /** Failures by answer, with how often. */
  readonly errors = new Map<string, number>();
  /** Answers that must not be, with their time. */
  readonly strays: string[] = [];
  readonly #alsoAllowed: readonly string[];
  #isBroken = false;
  #breaks = 0;

  /** @param alsoAllowed further answers that this fault may cause: `broken` when the process that clients are connected to is killed */
  constructor(alsoAllowed: readonly string[] = []) {
    this.#alsoAllowed = alsoAllowed;
  }

  /** Notes that a request begins; call the returned function with its answer, such as `200`, `503` or `Unavailable`. */
  begin(side: Side): (answer: string) => void {
    const [excused, before, start] = [this.#isBroken, this.#breaks, performance.now()];
    return (answer) => {
      if (answer === "200" || answer === "Ok") return;
      this.errors.set(answer, (this.errors.get(answer) ?? 0) + 1);
      const took = `${side} ${answer} after ${Math.round(performance.now() - start)} ms`;
      const isAllowed = [...allowed[side], ...this.#alsoAllowed].includes(answer);
      if (!isAllowed) this.strays.push(`${took}, which is not allowed`);
      else if (!excused && this.#breaks === before) this.strays.push(`${took}, with nothing broken`);
    };
  }

  /** From now on requests may fail. */
  breaks(): void {
    this.#isBroken = true;
    this.#breaks += 1;
  }

  /** From now on requests must not fail, except those begun before. */
  heals(): void {
    this.#isBroken = false;
  }
}
