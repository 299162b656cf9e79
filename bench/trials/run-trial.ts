import type { Measured } from "../load/load.ts";
import type { Figures } from "../results/row.ts";
import { microsecondsPerRequest, type ProcessorTime } from "../system/processor.ts";
import { flushMeanwhile } from "./flush-meanwhile.ts";
import { type Contender, measureInTurns } from "./measure-in-turns.ts";
import { prepareDraw } from "./prepare-draw.ts";
import type { Rival, Trial } from "./trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** The measurements of a case, one for each round. */
export interface Outcome {
  system: Measured[];
  rivals: Map<Rival, Measured[]>;
  /** Redis commands per request; undefined without Redis. */
  redisShare?: number;
  flushes?: Flushes;
  /** Processor time per request by part; empty where it cannot be read. */
  processor?: Figures;
}

export interface Flushes {
  count: number;
  pageQueries: number;
  /** The most that are allowed: one per author and flush. */
  maxPageQueries: number;
}

/** Runs one case: requests everything from the system once, prepares the rivals, then measures the system and them in turns. */
export async function runTrial(trial: Trial, context: TrialContext): Promise<Outcome> {
  const { draw, recording } = await prepareDraw(trial, context.system.url);
  const { servers, release } = await context.rivals.prepare(trial, context, recording);
  try {
    let commands = 0;
    const turns: [ProcessorTime, ProcessorTime, number][] = [];
    const system: Contender = {
      url: context.system.url,
      draw,
      expires: true,
      async around(turn) {
        const before = (await context.redis?.commandsRun()) ?? 0;
        const start = context.processorTime();
        const measured = await turn();
        turns.push([start, context.processorTime(), measured.requests]);
        commands += ((await context.redis?.commandsRun()) ?? 0) - before;
        return measured;
      },
    };
    const contenders = [
      system,
      ...[...servers].map(([rival, url]) => ({ url, draw, expires: rival === "small dataset" })),
    ];
    const measure = () => measureInTurns(contenders, trial.connections, context.load, context.plan);
    if (trial.isFlushed) return await flushMeanwhile(context, draw.targets.length, measure);
    const [own = [], ...others] = await measure();
    const rivals = new Map([...servers.keys()].map((rival, index) => [rival, others[index] ?? []]));
    const requests = own.reduce((sum, measured) => sum + measured.requests, 0);
    const processor = microsecondsPerRequest(turns);
    return { system: own, rivals, processor, ...(context.redis && { redisShare: commands / requests }) };
  } finally {
    await release();
  }
}
