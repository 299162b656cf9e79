import { setTimeout as sleep } from "node:timers/promises";
import type { Registry } from "./registry.ts";

/** What a gauge shows: a value for each label value; no entry, no line. */
export type Readings = Readonly<Record<string, number | undefined>>;

/** Milliseconds that a reading may take; Prometheus gives up after ten seconds on everything. */
const patience = 2_000;

/**
 * Adds a gauge with one label, read when somebody asks. What cannot be read in time, because the database is away for
 * instance, is left out.
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Readings | Promise<Readings>,
): void {
  registry.add({
    name,
    help,
    type: "gauge",
    async read() {
      return Object.entries(await inTime(read)).flatMap(([of, value]) =>
        value === undefined ? [] : [{ labels: { [label]: of }, value }],
      );
    },
  });
}

async function inTime(read: () => Readings | Promise<Readings>): Promise<Readings> {
  const over = new AbortController();
  try {
    return await Promise.race([read(), sleep(patience, {}, { signal: over.signal })]);
  } catch {
    return {};
  } finally {
    over.abort();
  }
}
