import { figureText, type Row } from "../results/row.ts";

const columns = ["requests/s", "p50 ms", "p99 ms", "of node:http", "of Fastify", "of monolith", "of small dataset"];
/** Judged as a goal, not shown here. */
const elsewhere = ["errors", "p99 of node:http's", "page queries of those allowed"];

/** Rows of cases as a Markdown table, as they are in RESULTS.md. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ title, figures, notes = [] }) => [
    title,
    ...columns.map((name) => (figures[name] === undefined ? "" : figureText(figures[name]))),
    [...otherFigures(figures), ...notes].join("; "),
  ]);
  return markdown([["Case", ...columns, "Notes"], ...cells]);
}

/** Rows of other measurements, with all their figures in one column. */
export function plainTable(rows: readonly Row[]): string {
  const cells = rows.map(({ title, figures, notes = [] }) => [
    title,
    [
      ...Object.entries(figures)
        .filter(([name, value]) => name !== "errors" || value > 0)
        .map(inWords),
      ...notes,
    ].join("; "),
  ]);
  return markdown([["Measurement", "Figures"], ...cells]);
}

/** Lines of cells as a Markdown table; the first one is its head. */
export function markdown([head = [], ...lines]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** Figures without a column, without processor time that is next to none. */
function otherFigures(figures: Row["figures"]): string[] {
  return Object.entries(figures)
    .filter(
      ([name, value]) => !columns.includes(name) && !elsewhere.includes(name) && !(name.endsWith(" µs") && value < 1),
    )
    .map(inWords);
}

/** Such as "gateway 42 µs", "1,200 statuses/s" and "0.01 Redis commands/request". */
function inWords([name, value]: [string, number]): string {
  const [, what, unit] = /^(.*) (µs|ms|MB|KB)$/.exec(name) ?? [];
  return what === undefined ? `${figureText(value)} ${name}` : `${what} ${figureText(value)} ${unit}`;
}
