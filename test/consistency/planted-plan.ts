import type { RunPlan } from "./check-run.ts";
import { redisDisturbances } from "./disturbances.ts";
import type { PlantedFault } from "./planted-faults.ts";

/**
 * The load under which a fault shows within seconds: many readers of few users, so that one always reads while another's request is
 * under way. A fault shows by chance, mostly within 2,000 reads; many more are made before it counts as not found.
 */
export function plantedPlan(fault: PlantedFault): RunPlan {
  const isOfViewers = !["join a call that began earlier", "forget to raise a version"].includes(fault);
  return {
    reads: 60_000,
    endsWhenStale: true,
    users: 2,
    viewers: 2,
    readers: 48,
    proxyDelayMs: 20,
    thinkMs: 20,
    // A page is made anew for a change of its author too, which would hide an old state of the viewer.
    writePauseMs: isOfViewers ? 1_500 : 600,
    disturbances: redisDisturbances.filter(({ name }) => ["nothing", "Redis flushed at random"].includes(name)),
  };
}
