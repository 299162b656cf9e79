import type { Load } from "../load/load.ts";
import type { ProcessorTime } from "../system/processor.ts";
import type { BenchRedis } from "../system/redis.ts";
import type { BenchSystem } from "../system/start-system.ts";
import type { Plan } from "./plan.ts";
import type { Rivals } from "./rivals.ts";

/** The environment in which a case is measured. */
export interface TrialContext {
  /** The system, in the setting of the case. */
  system: BenchSystem;
  /** The database of the social service. */
  databaseUrl: string;
  /** The Redis that the system uses. */
  redis: BenchRedis | undefined;
  /** What the system's processes and Postgres have used so far. */
  processorTime(): ProcessorTime;
  /** Starts the system with the small dataset in the same setting. */
  startSmallDataset(): Promise<{ url: string; stop(): Promise<void> }>;
  rivals: Rivals;
  load: Load;
  plan: Plan;
}
