import { withTimeout } from "../with-timeout.ts";
import type { Registry } from "./registry.ts";

/** The values of a gauge by label value; undefined leaves the line out. */
export type Readings = Readonly<Record<string, number | undefined>>;

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
