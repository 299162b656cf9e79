import type { Trial } from "./trial.ts";
import { trials } from "./trials.ts";

export interface Chosen {
  trials: readonly Trial[];
  isWithImport: boolean;
}

/** The cases of these names, "import" included; all of them when none is named. Throws for a name that there is not. */
export function chooseTrials(names: readonly string[]): Chosen {
  const known = [...trials.map(({ name }) => name), "import"];
  const stray = names.find((name) => !known.includes(name));
  if (stray !== undefined) throw new Error(`There is no case "${stray}". Cases: ${known.join(", ")}`);
  if (names.length === 0) return { trials, isWithImport: true };
  return { trials: trials.filter(({ name }) => names.includes(name)), isWithImport: names.includes("import") };
}
