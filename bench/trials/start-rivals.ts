import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { get } from "../baselines/get.ts";
import { type Recording, writeRecording } from "../baselines/recording.ts";
import { type Baseline, startBaseline } from "../baselines/start-baseline.ts";
import type { Rival, Trial } from "./trial.ts";
import type { TrialContext } from "./trial-context.ts";

/** Starts the rivals of a case. Those that replay send the replies of the recording. */
export async function startRivals(
  { rivals }: Trial,
  context: TrialContext,
  recording: Recording,
): Promise<{ servers: Map<Rival, Baseline>; stop(): Promise<void> }> {
  const servers = new Map<Rival, Baseline>();
  const file = join(tmpdir(), `roost-recording-${process.pid}`);
  const stop = async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    rmSync(file, { force: true });
  };
  try {
    writeRecording(file, recording);
    for (const rival of rivals) servers.set(rival, await starts[rival](context, file));
    const monolith = servers.get("monolith");
    if (monolith !== undefined) await compareReplies(monolith.url, recording);
    return { servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const starts: Record<Rival, (context: TrialContext, file: string) => Promise<Baseline>> = {
  "node:http": (_stage, file) => startBaseline("node-http", file),
  Fastify: (_stage, file) => startBaseline("fastify", file),
  monolith: ({ databaseUrl }) => startBaseline("monolith", databaseUrl),
  "small dataset": (context) => context.startSmallDataset(),
};

/** How many replies of the monolith are compared. */
const compared = 50;

// A monolith that did less work would be no fair baseline.
async function compareReplies(url: string, recording: Recording): Promise<void> {
  for (const [path, { body }] of [...recording].slice(0, compared)) {
    const reply = await get(url, path, {});
    const [ours, theirs] = [body, reply.body].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
    if (!isDeepStrictEqual(ours, theirs)) throw new Error(`The monolith answers ${path} with other JSON`);
  }
}
