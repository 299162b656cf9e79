import type { Rig, RigOptions } from "./rig.ts";

/** One thing that breaks, once. */
export interface Fault {
  /** Breaks it. From the beginning on requests may fail. */
  begin(): Promise<void> | void;
  /** Milliseconds for which it stays so. */
  holdMs: number;
  /** Mends it. Recovery counts from the end of this. */
  end(): Promise<void> | void;
}

/** Faults of one kind, and what is peculiar about them. */
export interface FaultCase {
  name: string;
  /** What happens, for people. */
  title: string;
  /** How often in a full run. */
  times: number;
  /** What it needs and a machine may lack. */
  needs?: "Redis";
  /** What clients may see beside the usual; `broken` where the process that they are connected to dies. */
  alsoAllowed?: readonly string[];
  /** How its system differs from the usual one. Undone by `leave`. */
  rig?: RigOptions;
  /** Why it cannot be run on this machine, or what of it is left out. */
  leftOut?: { all: boolean; why: string } | undefined;
  /** The fault of the nth time, from 0. */
  fault(rig: Rig, time: number): Fault;
}
