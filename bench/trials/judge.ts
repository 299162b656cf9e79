import type { Measured } from "../load/load.ts";
import type { Outcome } from "./run-trial.ts";
import type { Rival, Trial } from "./trial.ts";

/** The figures of a row, each the median of its rounds. */
export interface Row {
  title: string;
  perSecond: number;
  p50: number;
  p99: number;
  /** The system's requests per second divided by each rival's in the same round. */
  ratios: Map<Rival, number>;
  notes: string[];
  /** The requirements of the case that were missed, as text. */
  missed: string[];
}

/** Makes a row of a case's measurements, and compares it with the floor of the case. */
export function judge({ title, floor }: Trial, { system, rivals, redisShare, flushes, processor }: Outcome): Row {
  const p99 = median(system.map((round) => round.p99));
  const perSecond = median(system.map((round) => round.perSecond));
  const ratios = new Map([...rivals].map(([rival, rounds]) => [rival, median(ratiosOf(system, rounds))]));
  const errors = system.reduce((sum, round) => sum + round.errors, 0);
  const missed: string[] = [];
  const need = (holds: boolean, words: string) => holds || missed.push(words);
  need(errors === 0, `${errors} errors`);
  // A comparison with a rival that failed means nothing.
  for (const [rival, rounds] of rivals) need(rounds.every(isSound), `nothing: ${rival} failed itself`);
  for (const [rival, minRatio] of Object.entries(floor.ratios ?? {}) as [Rival, number][]) {
    need((ratios.get(rival) ?? 0) >= minRatio, `${minRatio} of ${rival}`);
  }
  if (floor.perSecond !== undefined) need(perSecond >= floor.perSecond, `${floor.perSecond} /s`);
  if (floor.p99 !== undefined) need(p99 <= floor.p99, `p99 ≤ ${floor.p99} ms`);
  if (floor.redisShare !== undefined && redisShare !== undefined) {
    need(redisShare <= floor.redisShare, `Redis commands ≤ ${floor.redisShare} of requests`);
  }
  const notes = redisShare === undefined ? [] : [`${redisShare.toFixed(3)} Redis commands/request`];
  if (processor !== undefined && processor.length > 0) notes.push(`${processor.join(", ")} of processor/request`);
  if (flushes !== undefined) {
    notes.push(`${flushes.count} flushes, ${flushes.pageQueries} page queries of ${flushes.maxPageQueries} at most`);
    need(flushes.pageQueries <= flushes.maxPageQueries, "one page query per author and flush");
  }
  return { title, perSecond, p50: median(system.map((round) => round.p50)), p99, ratios, notes, missed };
}

function isSound({ requests, errors }: Measured): boolean {
  return requests > 0 && errors === 0;
}

/** The ratio of each round, of one server to another. */
export function ratiosOf(system: readonly Measured[], rival: readonly Measured[]): number[] {
  return system.map((round, index) => round.perSecond / (rival[index]?.perSecond ?? Number.NaN));
}

/** The median of some numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
