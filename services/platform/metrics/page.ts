import { collectDefaultMetrics, Registry as Library, type Metric as LibraryMetric } from "prom-client";
import type { Registry } from "./registry.ts";

/** All metrics of a process as Prometheus reads them. */
export interface MetricsPage {
  contentType: string;
  text(): Promise<string>;
}

/** The metrics page of a process: its own metrics, and those of Node, which are collected from now on. */
export function createPage(registry: Registry): MetricsPage {
  const library = new Library();
  for (const { name, help, type, read } of registry.metrics) {
    const get = async () => {
      const values = (await read()).map((sample) => ({ metricName: name, ...sample }));
      return { name, help, type, aggregator: "sum", values };
    };
    // The interface that the library needs of a metric.
    library.registerMetric({ name, get } as unknown as LibraryMetric);
  }
  collectDefaultMetrics({ register: library });
  return { contentType: library.contentType, text: () => library.metrics() };
}
