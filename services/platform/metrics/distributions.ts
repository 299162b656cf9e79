import { labelled, type Registry, type Sample } from "./registry.ts";

/** How values are spread over ranges. */
export interface Distribution {
  note(value: number): void;
}

/** The distributions of one metric, told apart by the values of its labels; these are names of ours, as for Counts. */
export interface Distributions {
  of(...values: string[]): Distribution;
}

/** Upper bounds for durations, in seconds: from a kept page to a call that meets its deadline. */
export const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds for numbers of things that go together. */
export const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/**
 * Adds a histogram. Noting a value is a few comparisons: the library's own would build the text of its labels each time.
 * @param bounds the upper bounds of the ranges, growing; what is above the last one has a range of its own
 */
export function createDistributions(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  bounds: readonly number[],
): Distributions {
  const known = new Map<string, { labels: Record<string, string>; ranges: Ranges }>();
  registry.add({
    name,
    help,
    type: "histogram",
    read: () => [...known.values()].flatMap(({ labels, ranges }) => samples(name, labels, ranges)),
  });
  return {
    of(...values) {
      const key = values.join("\n");
      const entry = known.get(key) ?? { labels: labelled(labelNames, values), ranges: new Ranges(bounds) };
      known.set(key, entry);
      return entry.ranges;
    },
  };
}

class Ranges implements Distribution {
  readonly counts: number[];
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  note(value: number): void {
    let range = 0;
    while (range < this.bounds.length && value > (this.bounds[range] as number)) range++;
    this.counts[range] = (this.counts[range] as number) + 1;
    this.sum += value;
  }
}

/** As Prometheus wants them: each range holds those below it as well. */
function samples(name: string, labels: Record<string, string>, { bounds, counts, sum }: Ranges): Sample[] {
  let value = 0;
  const ranges = counts.map((count, index) => {
    value += count;
    return { name: `${name}_bucket`, labels: { ...labels, le: `${bounds[index] ?? "+Inf"}` }, value };
  });
  return [...ranges, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value }];
}
