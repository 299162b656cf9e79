import { measureAttacks } from "./attacks/measure-attacks.ts";
import { measureGrowth } from "./growth/measure-growth.ts";
import { measureImport } from "./import.ts";
import { measurePublishing } from "./publish.ts";
import { measureRefusals } from "./refusals.ts";
import { measureRegistration } from "./registration.ts";
import type { Row } from "./results/row.ts";
import { measureSoak } from "./soak.ts";
import { measureStart } from "./start.ts";
import type { Plan } from "./trials/plan.ts";

/** Measurements besides the trials, each on an empty system of its own, by name. */
export const measurements: Readonly<Record<string, (plan: Plan) => Promise<Row[]>>> = {
  start: measureStart,
  refusals: measureRefusals,
  publish: measurePublishing,
  registration: measureRegistration,
  import: measureImport,
  "growth-10m": measureGrowth,
  attacks: measureAttacks,
  soak: measureSoak,
};
