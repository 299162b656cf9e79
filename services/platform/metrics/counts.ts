import { labelled, type Registry } from "./registry.ts";

/** A number that only grows. Whoever counts often keeps it: then counting is an addition, and no label is looked at. */
export interface Count {
  value: number;
}

/** The numbers of one metric, told apart by the values of its labels. */
export interface Counts {
  /**
   * The number for these values, in the order of the label names. They are names of ours, such as those of operations and
   * of RPCs, never a client's words: each new one is kept for good.
   */
  of(...values: string[]): Count;
}

/** Adds a counter. By convention its name ends in `_total`. */
export function createCounts(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[] = [],
): Counts {
  const known = new Map<string, { labels: Record<string, string>; count: Count }>();
  registry.add({
    name,
    help,
    type: "counter",
    read: () => [...known.values()].map(({ labels, count }) => ({ labels, value: count.value })),
  });
  return {
    of(...values) {
      const key = values.join("\n");
      const entry = known.get(key) ?? { labels: labelled(labelNames, values), count: { value: 0 } };
      known.set(key, entry);
      return entry.count;
    },
  };
}
