import type { Outcome } from "./run-case.ts";
import type { Growth } from "./soak.ts";

const columns: [title: string, cell: (outcome: Outcome) => string][] = [
  ["case", ({ name }) => name],
  ["times", ({ times }) => `${times}`],
  ["acknowledged", ({ acknowledged }) => `${acknowledged}`],
  ["unknown", ({ unknown }) => `${unknown}`],
  ["lost", ({ lost }) => `${lost.length}`],
  ["wrong", ({ wrong }) => `${wrong.length}`],
  ["recovery, s", ({ recovery }) => recovery.toFixed(1)],
  ["errors while it lasted", ({ errors }) => [...errors].map(([answer, count]) => `${answer} × ${count}`).join(", ")],
];

/** The head of the table, as wide as its rows. */
export const head = columns.map(([title], index) => pad(title, index)).join("  ");

/** One row, with a word on whether the case is good. */
export function rowOf(outcome: Outcome): string {
  return `${columns.map(([, cell], index) => pad(cell(outcome), index)).join("  ")}  ${outcome.isGood ? "" : "MISSES"}`.trimEnd();
}

/** The head of the soak's table. */
export const growthHead = `${"process".padEnd(12)}${"RSS early".padStart(12)}${"late, MB".padStart(12)}${"open early".padStart(12)}${"late".padStart(12)}`;

export function growthRow({ name, early, late, grew }: Growth): string {
  const cells = [early.memory, late.memory, early.descriptors, late.descriptors].map((cell) => `${cell}`.padStart(12));
  return `${name.padEnd(12)}${cells.join("")}${grew ? "  GREW" : ""}`;
}

function pad(text: string, column: number): string {
  if (column === 0) return text.padEnd(28);
  return column === columns.length - 1 ? text : text.padStart(columns[column]?.[0].length ?? 0);
}
