import type { Row } from "./judge.ts";
import type { Rival } from "./trial.ts";

const columns: Rival[] = ["node:http", "Fastify", "monolith", "small dataset"];

/** Rows as a Markdown table, as they are in RESULTS.md. */
export function table(rows: readonly Row[]): string {
  const heads = ["Case", "requests/s", "p50 ms", "p99 ms", ...columns.map((rival) => `÷ ${rival}`), "Notes", "Floor"];
  const cells = rows.map((row) => [
    row.title,
    Math.round(row.perSecond).toLocaleString("en"),
    row.p50.toFixed(1),
    row.p99.toFixed(1),
    ...columns.map((rival) => ratio(row.ratios.get(rival))),
    row.notes.join("; "),
    row.missed.length === 0 ? "held" : `missed: ${row.missed.join("; ")}`,
  ]);
  return [heads, heads.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function ratio(value: number | undefined): string {
  if (value === undefined) return "";
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
