/** How long everything is measured. System and rivals take turns, so that a noisy moment affects all of them. */
export interface Plan {
  rounds: number;
  /** Seconds of each turn. */
  seconds: number;
  /** Seconds of load on each server before the first round; not measured. */
  warmUp: number;
  /** Seconds of load before each turn; not measured. */
  again: number;
}

/** About eleven minutes for all cases. */
export const fullPlan: Plan = { rounds: 3, seconds: 3, warmUp: 2, again: 1 };

/** About six minutes for all cases: enough to see that everything works. */
export const quickPlan: Plan = { rounds: 1, seconds: 2, warmUp: 1, again: 1 };
