import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Recording, writeRecording } from "../baselines/recording.ts";
import { type Baseline, startBaseline } from "../baselines/start-baseline.ts";
import { sendRequest } from "../load/send-request.ts";
import type { Rival, Trial } from "./trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** The rivals of a run. A baseline starts with the first case that needs it and serves all others; idle, it costs nothing. */
export interface Rivals {
  /** The rivals of a case, ready for it. Those that replay send the replies of the recording. */
  prepare(trial: Trial, context: TrialContext, recording: Recording): Promise<PreparedRivals>;
  stop(): Promise<void>;
}

export interface PreparedRivals {
  servers: Map<Rival, Server>;
  /** Ends what serves this case alone. */
  release(): Promise<void>;
}

/** A running rival. */
export interface Server {
  url: string;
  /** The process of a baseline, which is one alone. */
  pid: number | undefined;
}

export function createRivals(): Rivals {
  const baselines = new Map<Rival, Baseline>();
  const file = join(tmpdir(), `roost-recording-${process.pid}`);
  return {
    async prepare({ rivals }, context, recording) {
      writeRecording(file, recording);
      const servers = new Map<Rival, Server>();
      let release = async () => {};
      for (const rival of rivals) {
        if (rival === "small dataset") {
          const { url, stop } = await context.startSmallDataset();
          servers.set(rival, { url, pid: undefined });
          release = stop;
        } else {
          const running = baselines.get(rival);
          const argument = rival === "monolith" ? context.databaseUrl : file;
          const baseline = running ?? (await startBaseline(programs[rival], argument));
          baselines.set(rival, baseline);
          if (running !== undefined) await running.replay(file);
          if (rival === "monolith") await compareReplies(baseline.url, recording);
          servers.set(rival, baseline);
        }
      }
      return { servers, release };
    },
    async stop() {
      await Promise.all([...baselines.values()].map((baseline) => baseline.stop()));
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
