import { type Figures, NotSupported, type Row, type Run } from "./row.ts";
import type { Side } from "./side.ts";

/** What a side has shown in each round of a row, or why it has not. */
export type Outcome = { rounds: Figures[] } | { reason: string; isFailure: boolean };

/** Measures a row: all sides round after round, so that a noisy moment affects all of them. The result has one outcome for each. */
export async function measure(row: Row, sides: readonly Side[], plan: Omit<Run, "defer">): Promise<Outcome[]> {
  const ends: (() => unknown)[] = [];
  const run = { ...plan, defer: (end: () => unknown) => void ends.push(end) };
  try {
    const tries: Try[] = [];
    for (const side of sides) tries.push(await prepare(row, side, run));
    for (let round = 0; round < (row.isOnce ? 1 : plan.rounds); round++) {
      for (const one of tries) await takeRound(one);
    }
    return tries.map(({ outcome }) => outcome);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

interface Try {
  outcome: Outcome;
  round(): Promise<Figures>;
}

async function prepare(row: Row, side: Side, run: Run): Promise<Try> {
  try {
    return { outcome: { rounds: [] }, round: await row.prepare(side, run) };
  } catch (error) {
    return { outcome: failed(error), round: () => Promise.reject(error) };
  }
}

async function takeRound(one: Try): Promise<void> {
  if ("reason" in one.outcome) return;
  try {
    one.outcome.rounds.push(await one.round());
  } catch (error) {
    one.outcome = failed(error);
  }
}

function failed(error: unknown): Outcome {
  if (!(error instanceof NotSupported)) return { reason: `failed: ${error}`, isFailure: true };
  return { reason: `not supported${error.message && `: ${error.message}`}`, isFailure: false };
}
