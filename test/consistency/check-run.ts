import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Disturbance } from "./disturbances.ts";
import { endReads, type Reading, read } from "./read.ts";
import { createWriter, type Writer, type Written } from "./writer.ts";

export interface RunPlan {
  /** How many reads are made in all, at the least. */
  reads: number;
  users: number;
  readers: number;
  disturbances: readonly Disturbance[];
  /** Milliseconds that a gateway's wire to Redis adds each way. */
  wireMs: number;
  /** Milliseconds that a reader thinks between two reads, at the most. */
  thinkMs: number;
  /** Milliseconds between two writes to a user, at the most. Long ones let tokens be kept, and read from where they are. */
  writePauseMs: number;
  freshnessMs: number;
  /** Whether one stale read is enough, as it is to find out a fault that was planted. */
  endsWhenStale: boolean;
}

export interface Verdict {
  reads: number;
  writes: number;
  /** Reads that showed a state older than the last acknowledged one, or none that there ever was. */
  stale: string[];
  /** The same after everything had come to rest. */
  staleAtRest: string[];
  /** Reads that had no reply, or one that is no answer. */
  failed: string[];
}

/** Reads and writes while the cluster is disturbed, and holds each read against the history of acknowledged writes. */
export async function checkRun(cluster: Cluster, plan: RunPlan, say: (line: string) => void): Promise<Verdict> {
  const writer = createWriter(cluster.socials);
  const verdict: Verdict = { reads: 0, writes: 0, stale: [], staleAtRest: [], failed: [] };
  try {
    const users: Written[] = [];
    for (let index = 1; index <= plan.users; index++) users.push(await writer.create(BigInt(index), `user${index}`));
    // Readers are further away than writers: a drop is confirmed while an earlier answer is still on its way.
    for (const wire of cluster.redis.wires.gateways) wire.delay(plan.wireMs);
    const shares = plan.disturbances.reduce((sum, { share }) => sum + share, 0);
    for (const { name, share, disturb } of plan.disturbances) {
      const over = new AbortController();
      const disturbed = disturb(cluster, over.signal);
      const target = Math.ceil((plan.reads * share) / shares);
      const before = { reads: verdict.reads, writes: verdict.writes, stale: verdict.stale.length };
      await readAndWrite(cluster, plan, users, writer, target, verdict);
      over.abort();
      await disturbed;
      say(
        `${name}: ${verdict.reads - before.reads} reads, ${verdict.writes - before.writes} writes, ${verdict.stale.length - before.stale} stale`,
      );
    }
    // What others count may be as old as a token.
    await sleep(plan.freshnessMs * 2);
    await checkAtRest(cluster, users, verdict);
    return verdict;
  } finally {
    writer.close();
    endReads();
  }
}

async function readAndWrite(
  cluster: Cluster,
  plan: RunPlan,
  users: readonly Written[],
  writer: Writer,
  target: number,
  verdict: Verdict,
): Promise<void> {
  let left = target;
  const open: Reading[] = [];
  const readers = Array.from({ length: plan.readers }, async () => {
    while (left-- > 0 && !(plan.endsWhenStale && verdict.stale.length > 0)) {
      const { screenName, history } = pick(users);
      try {
        const reading = await read(pick(cluster.gateways), screenName, history, Math.random() < 0.3);
        verdict.reads += 1;
        if (judge(reading, verdict.stale) === undefined) open.push(reading);
      } catch (error) {
        verdict.failed.push((error as Error).message);
      }
      // Without it all readers would keep step, and none would come while another's question is under way.
      await sleep(Math.random() * plan.thinkMs);
    }
  });
  let isOver = false;
  const writers = users.map(async (user) => {
    while (!isOver) {
      await writer.write(user, Math.random);
      verdict.writes += 1;
      await sleep(Math.random() * plan.writePauseMs);
    }
  });
  await Promise.all(readers);
  isOver = true;
  await Promise.all(writers);
  for (const reading of open) judge(reading, verdict.stale);
}

/** Every user by every gateway, both ways. */
async function checkAtRest(cluster: Cluster, users: readonly Written[], verdict: Verdict): Promise<void> {
  for (const gateway of cluster.gateways) {
    for (const { screenName, history } of users) {
      for (const byLookup of [false, true]) {
        const { sight } = await read(gateway, screenName, history, byLookup);
        if (sight !== history.latest) verdict.staleAtRest.push(`${screenName}: ${sight} for ${history.latest}`);
      }
    }
  }
}

/** Notes a reading that cannot be; undefined while that is not known yet. */
function judge({ user, history, sight, from, to }: Reading, stale: string[]): boolean | undefined {
  const isAllowed = history.allows(sight, from, to);
  if (isAllowed === false) stale.push(`${user}: ${sight}, ${from} to ${to}`);
  return isAllowed;
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
