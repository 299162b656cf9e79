import { type Goal, type Goals, goals, goalText, isMet } from "../goals.ts";
import { markdown } from "../trials/table.ts";
import type { Comparison } from "./last-run.ts";
import { figureText } from "./row.ts";

const noErrors: Goals = { errors: { atMost: 0 } };

/**
 * Every figure that has a goal, with the range of its rounds, beside that of the last run, and whether it is met. Errors are shown only where there are some;
 * a figure that was not measured meets no goal.
 */
export function goalTable(comparisons: readonly Comparison[], goalsOf = goals): string {
  const lines = comparisons.flatMap(({ row, last }) => {
    const { errors = 0 } = row.figures;
    const all = { ...(errors > 0 && noErrors), ...goalsOf[row.name] };
    return Object.entries(all).map(([name, goal]) => [
      row.title,
      name,
      textOf(row.figures[name], row.ranges?.[name]),
      textOf(last?.[name]),
      goalText(goal),
      verdict(row.figures[name], goal),
    ]);
  });
  return markdown([["Row", "Figure", "Now", "Last run", "Goal", ""], ...lines]);
}

function textOf(value: number | undefined, range?: readonly [number, number]): string {
  if (value === undefined) return "";
  return range === undefined ? figureText(value) : `${figureText(value)} (${range.map(figureText).join(" to ")})`;
}

function verdict(value: number | undefined, goal: Goal): string {
  if (value === undefined) return "not measured";
  return isMet(value, goal) ? "met" : "missed";
}
