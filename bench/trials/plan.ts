/** How long everything is measured. System and baselines take turns, so that a noisy moment affects all of them. */
export interface Plan {
  rounds: number;
  /** Seconds of each turn. */
  seconds: number;
  /** Seconds of load on each server before its first turn; not measured. */
  warmUp: number;
  /** Seconds of load on a system before its first case; not measured. V8 compiles late what a system runs once for many requests. */
  systemWarmUp: number;
  /** Seconds of load before each other turn of a server whose replies expire; not measured. */
  again: number;
  /** How much the other measurements do. */
  sizes: Sizes;
  /** Cases, measurements included, that a run leaves out unless they are named. */
  leavesOut: readonly string[];
}

export interface Sizes {
  /** Passwords of each kind. */
  refusals: number;
  publications: number;
  /** In each round, and as many bare hashes. */
  registrations: number;
  imported: number;
  /** Statuses of one user's archive. */
  archived: number;
  /** Minutes of mixed load. */
  soak: number;
}

/** Under 15 minutes for all cases. */
export const fullPlan: Plan = {
  rounds: 3,
  seconds: 3,
  warmUp: 2,
  systemWarmUp: 10,
  again: 1,
  sizes: { refusals: 300, publications: 6_000, registrations: 700, imported: 45_000, archived: 45_000, soak: 10 },
  leavesOut: ["growth-10m", "soak"],
};

/** Under 4 minutes: enough to see that everything works. */
export const quickPlan: Plan = {
  rounds: 1,
  seconds: 1,
  warmUp: 1,
  systemWarmUp: 1,
  again: 1,
  sizes: { refusals: 50, publications: 3_000, registrations: 150, imported: 10_000, archived: 10_000, soak: 1 },
  leavesOut: ["flushes", "attacks", "growth-10m", "soak"],
};
