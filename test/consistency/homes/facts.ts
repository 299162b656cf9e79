/** A change of a fact: sent at `begin`, answered at `end`; milliseconds of performance.now(). */
interface Change {
  value: boolean;
  begin: number;
  end: number;
}

/** A fact that people change, such as whether one follows another. Changes of different people may overlap, in any order. */
export class Fact {
  #changes: Change[];
  #rememberedFrom = -Infinity;

  constructor(value: boolean) {
    this.#changes = [{ value, begin: -Infinity, end: -Infinity }];
  }

  /** Makes a change. It may be visible from now on, and is from the answer on. */
  async change(value: boolean, act: () => Promise<unknown>): Promise<void> {
    const change = { value, begin: performance.now(), end: Infinity };
    this.#changes.push(change);
    await act();
    change.end = performance.now();
    this.#forget(change.end - rememberedMs);
  }

  /** Drops what others had replaced before this time: a long run makes many changes. */
  #forget(before: number): void {
    const replacing = this.#changes.filter(({ end }) => end <= before);
    const remembered = this.#changes.filter((change) => !replacing.some((later) => later.begin > change.end));
    if (remembered.length < this.#changes.length) this.#rememberedFrom = before;
    this.#changes = remembered;
  }

  /** What the fact was throughout this time; undefined where it may have been both, and for a time that is not remembered. */
  during(begin: number, end: number): boolean | undefined {
    if (begin < this.#rememberedFrom) return undefined;
    const last = this.#changes.filter((change) => change.end <= begin);
    const possible = this.#changes.filter(
      (change) => change.begin < end && !last.some((later) => later.begin > change.end),
    );
    const values = new Set(possible.map(({ value }) => value));
    return values.size === 1 ? values.has(true) : undefined;
  }
}

/** Milliseconds; longer than any read takes. */
export const rememberedMs = 600_000;

/** One fact of all of these: false when one of them is, undefined when that is not known. */
export function all(values: readonly (boolean | undefined)[]): boolean | undefined {
  if (values.includes(false)) return false;
  return values.includes(undefined) ? undefined : true;
}
