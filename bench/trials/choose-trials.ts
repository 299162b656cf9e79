import { measurements } from "../measurements.ts";
import type { Plan } from "./plan.ts";
import type { Trial } from "./trial.ts";
import { trials } from "./trials.ts";

export interface Chosen {
  trials: readonly Trial[];
  /** Names of measurements. */
  others: readonly string[];
}

/** The names of all cases, measurements included. */
export const caseNames: readonly string[] = [...trials.map(({ name }) => name), ...Object.keys(measurements)];

/** The cases with these names, measurements included; when none is named, all but those that the plan leaves out. */
export function chooseTrials(names: readonly string[], { leavesOut }: Pick<Plan, "leavesOut">): Chosen {
  const chosen = names.length === 0 ? caseNames.filter((name) => !leavesOut.includes(name)) : names;
  return {
    trials: trials.filter(({ name }) => chosen.includes(name)),
    others: chosen.filter((name) => Object.hasOwn(measurements, name)),
  };
}
