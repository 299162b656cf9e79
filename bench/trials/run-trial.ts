import type { Draw, Measured } from "../load/load.ts";
import type { Figures } from "../results/row.ts";
import { microsecondsPerRequest, type ProcessorTime, processSeconds } from "../system/processor.ts";
import { flushMeanwhile } from "./flush-meanwhile.ts";
import { measureInTurns } from "./measure-in-turns.ts";
import type { Server } from "./prepare-baselines.ts";
import { prepareDraw } from "./prepare-draw.ts";
import type { Baseline, Trial } from "./trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** The measurements of a case, one for each round. */
export interface Outcome {
  system: Measured[];
  baselines: Map<Baseline, Measured[]>;
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

/** Runs one case: requests everything from the system once, prepares the baselines, then measures the system and them in turns. */
export async function runTrial(trial: Trial, context: TrialContext): Promise<Outcome> {
  const { draw, recording } = await prepareDraw(trial, context.system.url);
  const { servers, release } = await context.baselines.prepare(trial, context, recording);
  try {
    const system = countedSystem(context, draw);
    const baselines = [...servers].map(([baseline, server]) => countedBaseline(baseline, server, draw));
    const all = [system, ...baselines];
    const measure = () => measureInTurns(all, trial.connections, context.load, context.plan);
    if (trial.isFlushed) return await flushMeanwhile(context, draw.targets.length, measure);
    const [own = [], ...others] = await measure();
    const requests = own.reduce((sum, measured) => sum + measured.requests, 0);
    return {
      system: own,
      baselines: new Map([...servers.keys()].map((baseline, index) => [baseline, others[index] ?? []])),
      processor: Object.assign({}, ...all.map(({ processor }) => processor())) as Figures,
      ...(context.redis && { redisShare: system.commands() / requests }),
    };
  } finally {
    await release();
  }
}

/** The system, with the Redis commands and the processor time of its turns. */
function countedSystem({ system, redis, processorTime }: TrialContext, draw: Draw) {
  let commands = 0;
  const turns: [ProcessorTime, ProcessorTime, number][] = [];
  return {
    url: system.url,
    draw,
    expires: true,
    async around(turn: () => Promise<Measured>) {
      const before = (await redis?.commandsRun()) ?? 0;
      const start = processorTime();
      const measured = await turn();
      turns.push([start, processorTime(), measured.requests]);
      commands += ((await redis?.commandsRun()) ?? 0) - before;
      return measured;
    },
    commands: () => commands,
    processor: () => microsecondsPerRequest(turns),
  };
}

/** A baseline, with the processor time of its turns where it is one process. */
function countedBaseline(baseline: Baseline, { url, pid }: Server, draw: Draw) {
  let [seconds, requests] = [0, 0];
  return {
    url,
    draw,
    expires: baseline === "small dataset",
    async around(turn: () => Promise<Measured>) {
      const start = processSeconds(pid) ?? 0;
      const measured = await turn();
      seconds += (processSeconds(pid) ?? 0) - start;
      requests += measured.requests;
      return measured;
    },
    processor: (): Figures => (seconds === 0 ? {} : { [`${baseline} µs`]: (seconds * 1e6) / requests }),
  };
}
