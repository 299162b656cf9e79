import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Recording, writeRecording } from "../baselines/recording.ts";
import { type BaselineProcess, startBaseline } from "../baselines/start-baseline.ts";
import { sendRequest } from "../load/send-request.ts";
import type { Baseline, Trial } from "./trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** The baselines of a run. A baseline starts with the first case that needs it and serves all others; idle, it costs nothing. */
export interface Baselines {
  /** The baselines of a case, ready for it. Those that replay send the replies of the recording. */
  prepare(trial: Trial, context: TrialContext, recording: Recording): Promise<PreparedBaselines>;
  stop(): Promise<void>;
}

export interface PreparedBaselines {
  servers: Map<Baseline, Server>;
  /** Ends what serves this case alone. */
  release(): Promise<void>;
}

/** A running baseline. */
export interface Server {
  url: string;
  /** The process of a baseline, which is one alone. */
  pid: number | undefined;
}

export function createBaselines(): Baselines {
  const processes = new Map<Baseline, BaselineProcess>();
  const file = join(tmpdir(), `roost-recording-${process.pid}`);
  return {
    async prepare({ baselines }, context, recording) {
      writeRecording(file, recording);
      const servers = new Map<Baseline, Server>();
      let release = async () => {};
      for (const baseline of baselines) {
        if (baseline === "small dataset") {
          const { url, stop } = await context.startSmallDataset();
          servers.set(baseline, { url, pid: undefined });
          release = stop;
        } else {
          const running = processes.get(baseline);
          const argument = baseline === "monolith" ? context.databaseUrl : file;
          const started = running ?? (await startBaseline(programs[baseline], argument));
          processes.set(baseline, started);
          if (running !== undefined) await running.replay(file);
          if (baseline === "monolith") await compareReplies(started.url, recording);
          servers.set(baseline, started);
        }
      }
      return { servers, release };
    },
    async stop() {
      await Promise.all([...processes.values()].map((one) => one.stop()));
      rmSync(file, { force: true });
    },
  };
}

const programs = { "node:http": "node-http", Fastify: "fastify", monolith: "monolith" };

/** How many replies of the monolith are compared. */
const compared = 50;

// A monolith that did less work would be no fair baseline.
async function compareReplies(url: string, recording: Recording): Promise<void> {
  for (const [path, { body }] of [...recording].slice(0, compared)) {
    const reply = await sendRequest(url, path, {});
    const [ours, theirs] = [body, reply.body].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
    if (!isDeepStrictEqual(ours, theirs)) throw new Error(`The monolith answers ${path} with other JSON`);
  }
}
