import { setTimeout as sleep } from "node:timers/promises";
import type { Measured } from "../load/load.ts";
import { countPageQueries } from "../system/page-queries.ts";
import type { Outcome } from "./run-trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** Measures the system while Redis is flushed each second, and counts the database's queries that this causes. */
export async function flushMeanwhile(
  { redis, databaseUrl }: TrialContext,
  authors: number,
  measure: () => Promise<Measured[][]>,
): Promise<Outcome> {
  let isOver = false;
  let count = 0;
  const flush = async () => {
    for (; !isOver; await sleep(1_000)) {
      await redis?.send("FLUSHALL");
      count += 1;
    }
  };
  const before = await countPageQueries(databaseUrl);
  const flushing = flush();
  const [system = []] = await measure().finally(() => (isOver = true));
  await flushing;
  const pageQueries = (await countPageQueries(databaseUrl)) - before;
  return { system, baselines: new Map(), flushes: { count, pageQueries, maxPageQueries: count * authors } };
}
