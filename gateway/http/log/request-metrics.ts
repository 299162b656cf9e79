import { createCounters, createHistograms, durations } from "../../../services/platform/metrics/instruments.ts";
import type { Registry } from "../../../services/platform/metrics/registry.ts";

/** Counts and times of requests. */
export interface RequestMetrics {
  /** The requests of one operation; undefined: those of everything else, such as pages and unknown paths. */
  of(operation: string | undefined): RequestTally;
}

/** The requests of one operation. */
export interface RequestTally {
  /**
   * @param status of the reply; for an error under JSONP that of the error, though the script is sent with 200; 0: the client
   *   disconnected before there was one
   * @param milliseconds since the request came in
   */
  note(status: number, milliseconds: number): void;
}

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const counts = createCounters(registry, "roost_requests_total", "Requests, by operation and status.", [
    "operation",
    "status",
  ]);
  const times = createHistograms(
    registry,
    "roost_request_duration_seconds",
    "Time to answer a request.",
    ["operation"],
    durations,
  );
  return {
    of(operation = "none") {
      const duration = times.of(operation);
      return {
        note(status, milliseconds) {
          counts.of(operation, status === 0 ? "left" : `${status}`).value++;
          duration.observe(milliseconds / 1_000);
        },
      };
    },
  };
}
