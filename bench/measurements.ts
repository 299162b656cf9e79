import { measureAttacks } from "./attacks/measure-attacks.ts";
import { measureImport } from "./import.ts";
import type { Measurement } from "./measurement.ts";
import { measurePublishing } from "./publish.ts";
import { measureRefusals } from "./refusals.ts";

/** Measurements besides the trials, each on an empty system of its own, by name. */
export const measurements: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  refusals: measureRefusals,
  publish: measurePublishing,
  import: measureImport,
  attacks: measureAttacks,
};
