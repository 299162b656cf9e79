import { labelled, type Registry } from "./registry.ts";

/**
 * A number that only grows. Code that counts often should keep the Counter: counting is then one addition, without a lookup of
 * labels.
 */
export interface Counter {
  value: number;
}

/** The counters of one metric, one for each combination of label values. */
export interface Counters {
  /**
   * The counter for these values, in the order of the label names. The values must come from a closed set, such as names of
   * operations, and never from a client: a counter is never removed.
   */
  of(...values: string[]): Counter;
}

/** Registers a metric of type counter. By convention its name ends in `_total`. */
export function createCounters(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[] = [],
): Counters {
  const known = new Map<string, { labels: Record<string, string>; counter: Counter }>();
  registry.add({
    name,
    help,
    type: "counter",
    read: () => [...known.values()].map(({ labels, counter }) => ({ labels, value: counter.value })),
  });
  return {
    of(...values) {
      const key = values.join("\n");
      const entry = known.get(key) ?? { labels: labelled(labelNames, values), counter: { value: 0 } };
      known.set(key, entry);
      return entry.counter;
    },
  };
}
