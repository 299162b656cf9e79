import { within } from "../within.ts";
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
  const inTime = async () => within(patience, Promise.resolve(read()));
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
