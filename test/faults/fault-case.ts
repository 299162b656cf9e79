import type { Role } from "../support/launch.ts";
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
  /** The parts that end in it, and may: a crash of one takes no other with it. */
  ends?: readonly (Role | "Postgres")[];
  /** Whether no client may notice: then every failure counts as wrong, also while it lasts. */
  harmless?: boolean;
  /** What clients may see beside the usual; `broken` where the process that they are connected to dies. */
  alsoAllowed?: readonly string[];
  /** Prepares the machine for a system that differs from the usual one. */
  environment?: () => Environment;
  /** The fault of the nth time, from 0. */
  fault(rig: Rig, time: number): Fault;
}

/** Where a case's system runs: how it differs and how that is undone. Without options the case cannot be run here. */
export interface Environment {
  /** What people have to know: why the case, or a part of it, is left out. */
  why?: string;
  options?: RigOptions;
  leave?(): void;
}
