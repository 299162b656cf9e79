import type { Outcome } from "./measure.ts";
import type { Figures, Floor, Row } from "./row.ts";

/** A row and what each side has shown, this checkout first. */
export interface Result {
  row: Row;
  outcomes: readonly Outcome[];
}

/**
 * The results as a Markdown table. A figure is the median of its rounds, with the smallest and the largest one.
 * @param labels what the sides are called, this checkout first
 */
export function table(results: readonly Result[], labels: readonly string[]): string {
  const head = ["Row", "Figure", "Floor", ...labels.flatMap((label) => [label, "p99 ms", "a second; processor"]), ""];
  const lines = results.map(({ row, outcomes }) => [
    row.title,
    row.unit,
    floorText(row.floor),
    ...outcomes.flatMap(cellsOf),
    verdict(row.floor, outcomes[0]),
  ]);
  return [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** The median of some numbers; without numbers it is undefined. */
export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

function cellsOf(outcome: Outcome): string[] {
  if ("reason" in outcome) return [outcome.reason.replaceAll(/\s*[\n|]\s*/g, " ").slice(0, 300), "", ""];
  const { value, p99, p99Ratio, perSecond, processorMs } = mediansOf(outcome.rounds);
  const values = outcome.rounds.map((round) => round.value);
  const range = [Math.min(...values), Math.max(...values)].map(numberText).join(" to ");
  return [
    values.length > 1 ? `${numberText(value)} (${range})` : numberText(value),
    [numberText(p99), p99Ratio === undefined ? "" : `(${numberText(p99Ratio)} ×)`].join(" ").trim(),
    [numberText(perSecond), processorMs === undefined ? "" : `${numberText(processorMs)} ms`]
      .filter(Boolean)
      .join("; "),
  ];
}

function verdict({ atLeast = -Infinity, atMost = Infinity, p99AtMost = Infinity }: Floor, outcome?: Outcome): string {
  if (outcome === undefined || "reason" in outcome) return "";
  const { value = Number.NaN, p99Ratio = 0 } = mediansOf(outcome.rounds);
  return value >= atLeast && value <= atMost && p99Ratio <= p99AtMost ? "met" : "missed";
}

function mediansOf(rounds: readonly Figures[]): Partial<Figures> {
  const of = (name: keyof Figures) => median(rounds.flatMap((round) => round[name] ?? []));
  return Object.fromEntries(
    (["value", "perSecond", "p99", "p99Ratio", "processorMs"] as const).map((name) => [name, of(name)]),
  );
}

/** Such as "≥ 0.45, p99 ≤ 3 ×". */
function floorText({ atLeast, atMost, p99AtMost }: Floor): string {
  const parts = [
    atLeast === undefined ? "" : `≥ ${atLeast.toLocaleString("en")}`,
    atMost === undefined ? "" : `≤ ${atMost.toLocaleString("en")}`,
    p99AtMost === undefined ? "" : `p99 ≤ ${p99AtMost} ×`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Two digits after the point below 10, one below 100, none above. */
function numberText(value: number | undefined): string {
  if (value === undefined) return "";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(value < 10 ? 2 : 1);
}
