import { Histogram as LibraryHistogram } from "prom-client";
import { withTimeout } from "../with-timeout.ts";
import { labelled, type Registry, type Sample } from "./registry.ts";

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

/** The values of a gauge by label value; undefined leaves the line out. */
type Readings = Readonly<Record<string, number | undefined>>;

/** Milliseconds that reading one gauge may take; Prometheus waits ten seconds for the whole page. */
const timeoutMs = 2_000;

/**
 * Registers a gauge with one label, read when the page of metrics is requested. A gauge that cannot be read in time, for
 * instance because the database is unavailable, is left out.
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Readings | Promise<Readings>,
): void {
  const inTime = async () => withTimeout(timeoutMs, Promise.resolve(read()));
  registry.add({
    name,
    help,
    type: "gauge",
    async read() {
      return Object.entries(await inTime().catch(() => ({}))).flatMap(([of, value]) =>
        value === undefined ? [] : [{ labels: { [label]: of }, value }],
      );
    },
  });
}

/** Counts values by range. */
export type Histogram = Pick<LibraryHistogram.Internal<string>, "observe">;

/** The histograms of one metric, one for each combination of label values, which come from a closed set as for Counters. */
export interface Histograms {
  of(...values: string[]): Histogram;
}

/** Upper bounds for durations, in seconds: from a cached page to a call that takes until its deadline. */
export const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds for numbers of items, such as the keys of a batch. */
export const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/**
 * Registers a metric of type histogram.
 * @param bounds the upper bounds of the ranges, ascending; values above the last one have a range of their own
 */
export function createHistograms(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  bounds: readonly number[],
): Histograms {
  const library = new LibraryHistogram({ name, help, labelNames, buckets: [...bounds], registers: [] });
  registry.add({ name, help, type: "histogram", read: async () => (await library.get()).values.map(withBoundLast) });
  const known = new Map<string, Histogram>();
  return {
    of(...values) {
      const key = values.join("\n");
      let histogram = known.get(key);
      if (histogram === undefined) {
        // Shown from now on, before there is a value.
        library.zero(labelled(labelNames, values));
        histogram = library.labels(...values);
        known.set(key, histogram);
      }
      return histogram;
    },
  };
}

function withBoundLast({ labels: { le, ...labels }, ...sample }: Sample): Sample {
  return { ...sample, labels: le === undefined ? labels : { ...labels, le } };
}

/** Counts requests that this process refused to protect itself or others, by the name of the limit or queue. */
export function countRefusals(registry: Registry): Counters {
  return createCounters(registry, "roost_refusals_total", "Requests refused by a limit or by load.", ["reason"]);
}
