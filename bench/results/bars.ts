import type { Comparison } from "./last-run.ts";
import type { Figures } from "./row.ts";

/** One bar of a chart. */
export interface Bar {
  /** The case; empty for the second bar of one. */
  title: string;
  run: "now" | "last";
  /** Fraction of the longest bar of the case: 0 to 1. */
  share: number;
  /** The figure as text. */
  label: string;
}

/** Bars of requests per second, longer is better: for each case this run's, and the last run's if there is one. */
export function barsOf(comparisons: readonly Comparison[]): Bar[] {
  return comparisons.flatMap(({ row: { title, figures }, last }) => {
    const [now, before] = [perSecond(figures), last && perSecond(last)];
    const longest = Math.max(now, before ?? 0);
    const change = before && `, ${signed((now / before - 1) * 100)} %`;
    const bar: Bar = { title, run: "now", share: now / longest, label: `${inWords(figures)}${change ?? ""}` };
    return last && before ? [bar, { title: "", run: "last", share: before / longest, label: inWords(last) }] : [bar];
  });
}

/** The bars for a terminal, one line for each. */
export function terminalBars(bars: readonly Bar[], width = 40): string {
  const widest = Math.max(...bars.map(({ title }) => title.length));
  return bars
    .map(({ title, run, share, label }) => {
      const blocks = "█".repeat(Math.max(1, Math.round(share * width)));
      return `${title.padEnd(widest)}  ${run.padEnd(4)}  ${blocks.padEnd(width)}  ${label}`;
    })
    .join("\n");
}

function perSecond(figures: Figures): number {
  return figures["requests/s"] ?? 0;
}

function inWords(figures: Figures): string {
  return `${Math.round(perSecond(figures)).toLocaleString("en")}/s, p99 ${figures["p99 ms"]?.toFixed(1)} ms`;
}

function signed(percent: number): string {
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(0)}`;
}
