import type { Measured } from "../load/load.ts";
import type { Row } from "../results/row.ts";
import type { Outcome } from "./run-trial.ts";
import type { Trial } from "./trial.ts";

/**
 * The row of a case, each figure the median of its rounds. "of BASELINE" is the ratio to that baseline's requests per second in the
 * same round. A baseline that failed, or answered nothing, gives no figure: a comparison with it means nothing.
 */
export function summarize({ name, title }: Trial, { system, baselines, redisShare, flushes, processor }: Outcome): Row {
  const sound = [...baselines].filter(([, rounds]) =>
    rounds.every(({ requests, errors }) => requests > 0 && errors === 0),
  );
  const node = sound.find(([baseline]) => baseline === "node:http")?.[1];
  const ratios: Record<string, number[]> = {
    ...Object.fromEntries(sound.map(([baseline, rounds]) => [`of ${baseline}`, ratiosOf(system, rounds)])),
    ...(node && { "p99 of node:http's": ratiosOf(system, node, ({ p99 }) => p99) }),
  };
  const figures = {
    "requests/s": median(system.map((round) => round.perSecond)),
    "p50 ms": median(system.map((round) => round.p50)),
    "p99 ms": median(system.map((round) => round.p99)),
    errors: system.reduce((sum, round) => sum + round.errors, 0),
    ...mapped(ratios, median),
    ...(redisShare !== undefined && { "Redis commands/request": redisShare }),
    ...(flushes && { "page queries of those allowed": flushes.pageQueries / flushes.maxPageQueries }),
    ...processor,
  };
  const notes = [...baselines.keys()]
    .filter((baseline) => !sound.some(([other]) => other === baseline))
    .map((baseline) => `${baseline} failed itself`);
  if (flushes !== undefined) {
    notes.push(`${flushes.count} flushes, ${flushes.pageQueries} page queries of ${flushes.maxPageQueries} at most`);
  }
  const ranges = mapped(ratios, (rounds) => [Math.min(...rounds), Math.max(...rounds)] as const);
  return { name, title, figures, notes, ...(system.length > 1 && { ranges }) };
}

function mapped<T>(lists: Record<string, number[]>, to: (rounds: number[]) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(lists).map(([name, rounds]) => [name, to(rounds)]));
}

/** The ratio of each round, of one server to another: of requests per second unless another figure is chosen. */
export function ratiosOf(
  system: readonly Measured[],
  baseline: readonly Measured[],
  figure = ({ perSecond }: Measured) => perSecond,
): number[] {
  return system.map((round, index) => figure(round) / figure(baseline[index] as Measured));
}

/** The median of some numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
