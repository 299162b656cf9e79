import { type Counters, createCounters } from "./counters.ts";
import type { Registry } from "./registry.ts";

/** Counts requests that this process refused to protect itself or others, by the name of the limit or queue. */
export function countRefusals(registry: Registry): Counters {
  return createCounters(registry, "roost_refusals_total", "Requests refused by a limit or by load.", ["reason"]);
}
