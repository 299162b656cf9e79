/** One value of a metric. */
export interface Sample {
  /** The metric's own name when left out. */
  metricName?: string | undefined;
  labels: Readonly<Partial<Record<string, string | number>>>;
  value: number;
}

/** A metric as Prometheus knows them. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  read(): Sample[] | Promise<Sample[]>;
}

/** The metrics of one process. They are read only when there is an admin port. */
export interface Registry {
  readonly metrics: readonly Metric[];
  /** @throws Error when there is one of that name */
  add(metric: Metric): void;
}

export function createRegistry(): Registry {
  const metrics: Metric[] = [];
  return {
    metrics,
    add(metric) {
      if (metrics.some(({ name }) => name === metric.name)) throw new Error(`There are two metrics ${metric.name}`);
      metrics.push(metric);
    },
  };
}

/** The values of labels by their names. */
export function labelled(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
