import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { repeatCalls } from "../../../cli/call.ts";
import { recount } from "../../../cli/verify.ts";
import { VerifyService } from "../../../proto/gen/social/v1/verify_service_pb.ts";
import { connect, createPeople } from "./writers.ts";

/** The amount of churn. */
export interface ChurnSize {
  actions: number;
  processes: number;
  people: number;
  /** The same seed chooses the same actions; how they interleave differs from run to run. */
  seed: number;
}

/** The result of a run. */
export interface ChurnResult {
  done: number;
  seconds: number;
  /** How many actions had each result, by the name of the code; Ok for success. */
  refusals: Record<string, number>;
  drifts: string[];
}

/** Lets processes act at random on the statuses and relations of a few people, and then recounts everything. */
export async function churn(socialUrl: string, size: ChurnSize): Promise<ChurnResult> {
  const { transport, close } = connect(socialUrl);
  try {
    const people = (await createPeople(transport, size.people)).map(({ id }) => id.toString());
    const start = performance.now();
    const share = Math.ceil(size.actions / size.processes);
    const workers = Array.from({ length: size.processes }, (_, index) =>
      runWorker({ socialUrl, people, actions: share, seed: size.seed * 1_000 + index }),
    );
    const counts = await Promise.all(workers);
    const seconds = (performance.now() - start) / 1_000;
    const refusals: Record<string, number> = {};
    for (const [code, count] of counts.flatMap(Object.entries<number>)) refusals[code] = (refusals[code] ?? 0) + count;
    const done = Object.values(refusals).reduce((sum, count) => sum + count, 0);
    return { done, seconds, refusals, drifts: await listDrifts() };
  } finally {
    close();
  }

  async function listDrifts(): Promise<string[]> {
    const drifts: string[] = [];
    await recount(
      createClient(VerifyService, repeatCalls(transport)),
      ({ userId, statusId, field, stored, counted }) => {
        drifts.push(`${userId} ${statusId} ${field}: ${stored}, counted ${counted}`);
      },
    );
    return drifts;
  }
}

/** The task of a worker; ids as text. */
export interface WorkerTask {
  socialUrl: string;
  people: string[];
  actions: number;
  seed: number;
}

async function runWorker(task: WorkerTask): Promise<Record<string, number>> {
  const worker = fork(fileURLToPath(new URL("worker.ts", import.meta.url)));
  worker.send(task);
  const counts: Record<string, number> = {};
  worker.on("message", (message) => Object.assign(counts, message));
  const [code] = (await once(worker, "exit")) as [number | null];
  if (code !== 0) throw new Error(`a worker ended with ${code}`);
  return counts;
}
