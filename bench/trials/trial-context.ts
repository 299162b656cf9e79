import type { Load } from "../load/load.ts";
import type { MeasuredSystem } from "../system/environment.ts";
import type { Plan } from "./plan.ts";
import type { Baselines } from "./prepare-baselines.ts";

/** The environment in which a case is measured: the system in the setting of the case, and what all cases share. */
export interface TrialContext extends Omit<MeasuredSystem, "stop"> {
  /** Starts the system with the small dataset in the same setting. */
  startSmallDataset(): Promise<{ url: string; stop(): Promise<void> }>;
  baselines: Baselines;
  load: Load;
  plan: Plan;
}
