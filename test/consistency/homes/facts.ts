/** A change of a fact: sent at `begin`, answered at `end`; milliseconds of performance.now(). */
interface Change {
  value: boolean;
  begin: number;
  end: number;
}

/** A fact that people change, such as whether one follows another. Changes of different people may overlap, in any order. */
export class Fact {
  readonly #changes: Change[];

  constructor(value: boolean) {
    this.#changes = [{ value, begin: -Infinity, end: -Infinity }];
  }

  /** Makes a change. It may be visible from now on, and is from the answer on. */
  async change(value: boolean, act: () => Promise<unknown>): Promise<void> {
    const change = { value, begin: performance.now(), end: Infinity };
    this.#changes.push(change);
    await act();
    change.end = performance.now();
  }

  /** What the fact was throughout this time; undefined where it may have been both. */
  during(begin: number, end: number): boolean | undefined {
    const last = this.#changes.filter((change) => change.end <= begin);
    const possible = this.#changes.filter(
      (change) => change.begin < end && !last.some((later) => later.begin > change.end),
    );
    const values = new Set(possible.map(({ value }) => value));
    return values.size === 1 ? values.has(true) : undefined;
  }
}

/** One fact of all of these: false when one of them is, undefined when that is not known. */
export function all(values: readonly (boolean | undefined)[]): boolean | undefined {
  if (values.includes(false)) return false;
  return values.includes(undefined) ? undefined : true;
}
