import type { Role } from "../support/launch.ts";
import type { Rig, RigOptions } from "./rig.ts";

export interface Fault {
  /** Starts the fault. From now on requests may fail. */
  begin(): Promise<void> | void;
  holdMs: number;
  /** Ends the fault. Recovery is measured from the end of this. */
  end(): Promise<void> | void;
}

/** Faults of one kind, and what is special about them. */
export interface FaultCase {
  name: string;
  title: string;
  /** How often in a full run. */
  times: number;
  /** What it needs that a machine may not have. */
  needs?: "Redis";
  /** The parts that may end because of it. If another one ends, that is a failure. */
  ends?: readonly (Role | "Postgres")[];
  /** Whether clients must not notice it: then every failure counts as wrong, also during the fault. */
  harmless?: boolean;
  /** What clients may be answered beyond the usual errors; `broken` when the process that they are connected to is killed. */
  alsoAllowed?: readonly string[];
  /** Prepares the machine for a system with other settings than usual. */
  environment?: () => Environment;
  /** The fault of the nth time, counted from 0. */
  fault(rig: Rig, time: number): Fault;
  /** What else is wrong at the end, as sentences. */
  check?(rig: Rig): Promise<string[]>;
}

/** The environment of a case's system: its settings, and how to remove it. Without options the case cannot run here. */
export interface Environment {
  /** Why the case, or a part of it, is left out. */
  why?: string;
  options?: RigOptions;
  leave?(): void;
}
