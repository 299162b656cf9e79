import { type Counts, createCounts } from "./counts.ts";
import type { Registry } from "./registry.ts";

/** How often this process turned somebody away to protect itself or others, by reason: the name of a limit or of a queue. */
export function countRefusals(registry: Registry): Counts {
  return createCounts(registry, "roost_refusals_total", "Requests turned away by a limit or by load.", ["reason"]);
}
