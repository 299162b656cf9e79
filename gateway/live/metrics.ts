import {
  addGauge,
  type Counter,
  createCounters,
  createHistograms,
  durations,
  type Histogram,
} from "../../services/platform/metrics/instruments.ts";
import type { Registry } from "../../services/platform/metrics/registry.ts";

/** What live streams count. */
export interface LiveCounts {
  /** Authors that the social service named. */
  hints: Counter;
  /** Seconds from the publication of a status to its event, by the clocks of the database and this machine. */
  lag: Histogram;
  /** Shows how many streams there are. */
  measure(open: () => number): void;
}

export function createLiveCounts(registry: Registry): LiveCounts {
  const lags = createHistograms(
    registry,
    "roost_live_lag_seconds",
    "Time from publication to event, for streams that were open.",
    [],
    durations,
  );
  return {
    hints: createCounters(registry, "roost_live_hints_total", "Authors of whom live streams were told.").of(),
    lag: lags.of(),
    measure: (open) =>
      addGauge(registry, "roost_live_streams", "Live streams.", "state", () => ({
        open: open(),
      })),
  };
}
