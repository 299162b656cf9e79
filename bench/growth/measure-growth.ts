import { join } from "node:path";
import { recordReplies } from "../baselines/recording.ts";
import { growthDataset, smallDataset } from "../dataset/dataset.ts";
import { chooseDriver } from "../load/driver.ts";
import type { Measured } from "../load/load.ts";
import type { Figures, Row } from "../results/row.ts";
import { type MeasuredSystem, openEnvironment } from "../system/environment.ts";
import { peakMemories } from "../system/memory.ts";
import { countPageQueries } from "../system/page-queries.ts";
import { microsecondsPerRequest, type ProcessorTime } from "../system/processor.ts";
import type { Plan } from "../trials/plan.ts";
import { median, ratiosOf } from "../trials/summarize.ts";
import { hotTargets, mixOf } from "./mix.ts";

/** Bytes. All pages together take 3 GB, the hot ones 30 MB. */
const limits = { gateway: 16 * 2 ** 20, redis: 64 * 2 ** 20 };
const connections = 64;

/**
 * A mix of hot and cold pages of 100,000 authors with 10,000,000 statuses, in turns with the same mix over 1,000 authors with
 * 10,000 statuses, both with caches that hold a part of the pages. The first load of the data takes some minutes.
 */
export async function measureGrowth(plan: Plan): Promise<Row[]> {
  const say = (line: string) => console.error(line);
  const environment = await openEnvironment(say);
  const sides: Side[] = [];
  try {
    for (const dataset of [growthDataset, smallDataset]) {
      const measured = await environment.startSystem(root, dataset, "redis", { limits });
      sides.push({ measured, authors: dataset.authors, queriesBefore: 0, rounds: [], turns: [] });
      if (measured.redis?.isOurs !== true) throw new Error("growth needs a redis-server on the path, and no REDIS_URL");
    }
    for (const side of sides) {
      await recordReplies(side.measured.system.url, hotTargets(side.authors), 200);
      side.queriesBefore = await countPageQueries(side.measured.databaseUrl);
    }
    for (let turn = 0; turn < 2 * plan.rounds; turn++) {
      for (const side of sides) await takeTurn(side, turn, turn % 2 === 0 ? plan.again : plan.seconds);
    }
    const [large, small] = [await figuresOf(sides[0] as Side), await figuresOf(sides[1] as Side)];
    const ratio = median(ratiosOf((sides[0] as Side).rounds, (sides[1] as Side).rounds));
    const title = "hot and cold timelines of 10, caches of 16 and 64 MiB";
    return [
      { name: "growth-10m", title: `${title}, 10 M statuses`, figures: { ...large, "of small dataset": ratio } },
      { name: "growth-10k", title: `${title}, 10 k statuses`, figures: small },
    ];
  } finally {
    for (const { measured } of sides) await measured.stop();
    await environment.close();
  }
}

const root = join(import.meta.dirname, "../..");

interface Side {
  measured: MeasuredSystem;
  authors: number;
  queriesBefore: number;
  rounds: Measured[];
  turns: [ProcessorTime, ProcessorTime, number][];
}

/** Even turns only bring the hot pages back into the caches; their requests and their cost are in the means. */
async function takeTurn({ measured, authors, rounds, turns }: Side, turn: number, seconds: number): Promise<void> {
  const { load } = chooseDriver();
  const before = measured.processorTime();
  const round = await load(measured.system.url, mixOf(authors, turn), { connections, seconds });
  turns.push([before, measured.processorTime(), round.requests]);
  if (turn % 2 === 1) rounds.push(round);
}

async function figuresOf({ measured, queriesBefore, rounds, turns }: Side): Promise<Figures> {
  const requests = turns.reduce((sum, [, , count]) => sum + count, 0);
  const queries = (await countPageQueries(measured.databaseUrl)) - queriesBefore;
  return {
    "requests/s": median(rounds.map((round) => round.perSecond)),
    "p50 ms": median(rounds.map((round) => round.p50)),
    "p99 ms": median(rounds.map((round) => round.p99)),
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
    "page queries/request": queries / requests,
    ...microsecondsPerRequest(turns),
    ...peakMemories(measured.system),
    "Redis MB": (await measured.redis?.usedMegabytes()) ?? 0,
  };
}
