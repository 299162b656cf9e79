import { collectDefaultMetrics, Registry as Library, type Metric as LibraryMetric } from "prom-client";
import type { Registry } from "./registry.ts";

/** All metrics of a process as Prometheus reads them. */
export interface MetricsPage {
  contentType: string;
  text(): Promise<string>;
}

/** The page of a process: its own metrics, and what Node tells of it, which is watched from now on. */
export function createPage(registry: Registry): MetricsPage {
  const library = new Library();
  for (const { name, help, type, read } of registry.metrics) {
    const get = async () => {
      const values = (await read()).map((sample) => ({ ...sample, metricName: sample.name ?? name }));
      return { name, help, type, aggregator: "sum", values };
    };
    // What the library asks of a metric; its own would look labels up each time that something is counted.
    library.registerMetric({ name, get } as unknown as LibraryMetric);
  }
  collectDefaultMetrics({ register: library });
  return { contentType: library.contentType, text: () => library.metrics() };
}
