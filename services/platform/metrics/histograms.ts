import { labelled, type Registry, type Sample } from "./registry.ts";

/** Counts values by range. */
export interface Histogram {
  observe(value: number): void;
}

/** The histograms of one metric, one for each combination of label values, which come from a closed set as for Counters. */
export interface Histograms {
  of(...values: string[]): Histogram;
}

/** Upper bounds for durations, in seconds: from a cached page to a call that takes until its deadline. */
export const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds for numbers of items, such as the keys of a batch. */
export const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/**
 * Registers a metric of type histogram. Observing a value costs a few comparisons; the library's own histogram would build
 * the text of its labels each time.
 * @param bounds the upper bounds of the ranges, ascending; values above the last one have a range of their own
 */
export function createHistograms(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  bounds: readonly number[],
): Histograms {
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

class Ranges implements Histogram {
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let range = 0;
    while (range < this.bounds.length && value > (this.bounds[range] as number)) range++;
    this.counts[range] = (this.counts[range] as number) + 1;
    this.sum += value;
  }
}

/** In Prometheus's form: each range also counts the values of those below it. */
function samples(name: string, labels: Record<string, string>, { bounds, counts, sum }: Ranges): Sample[] {
  let value = 0;
  const ranges = counts.map((count, index) => {
    value += count;
    return { name: `${name}_bucket`, labels: { ...labels, le: `${bounds[index] ?? "+Inf"}` }, value };
  });
  return [...ranges, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value }];
}
