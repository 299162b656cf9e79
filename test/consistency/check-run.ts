import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../support/pick.ts";
import type { Cluster } from "./cluster.ts";
import type { Disturbance } from "./disturbances.ts";
import { facets, type States, type Subject } from "./facets.ts";
import { judgeAsViewer, judgeLookup, judgeTimeline } from "./judged-reads.ts";
import { endReads, readIds, readProfiles, readTimeline, Unavailable, type ViewerRead } from "./read.ts";
import { createJudge, describe, type Judge, newVerdict, type Verdict } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";
import { createWriter } from "./writer.ts";

export interface RunPlan {
  reads: number;
  users: number;
  /** Signed-in readers of the same two users, each with its own relations: the more, the more often two of them share a cached reply. */
  viewers: number;
  readers: number;
  disturbances: readonly Disturbance[];
  /** Milliseconds by which a gateway's proxy to Redis delays each direction. */
  proxyDelayMs: number;
  /** Most milliseconds between two reads of a reader. */
  thinkMs: number;
  /** Most milliseconds between two changes of a facet. */
  writePauseMs: number;
  /** Whether the run ends with the first stale read, which is enough to detect a planted fault. */
  endsWhenStale: boolean;
}

/** Reads and writes while the cluster is disturbed, and compares each read with the history of acknowledged writes. */
export async function checkRun(cluster: Cluster, plan: RunPlan, say: (line: string) => void): Promise<Verdict> {
  const writer = createWriter(cluster);
  const verdict = newVerdict();
  try {
    const users = await writer.create(plan.users);
    const viewers = await writer.createViewers(plan.viewers);
    const changes = [...users.map(writer.changes), ...viewers.map(({ changes }) => changes)].flatMap(
      Object.values<Change>,
    );
    const judges = Array.from({ length: plan.readers }, () => createJudge(verdict));
    // So that writes are answered while a page is on its way to a gateway.
    for (const proxy of cluster.redis.proxies) proxy.delay(plan.proxyDelayMs);
    const shares = plan.disturbances.reduce((sum, { share }) => sum + share, 0);
    for (const disturbance of plan.disturbances) {
      const start = performance.now();
      const over = new AbortController();
      const disturbed = disturbance.disturb(cluster, over.signal);
      // Awaited below.
      disturbed.catch(() => {});
      const reads = Math.ceil((plan.reads * disturbance.share) / shares);
      const endChanges = startChanges(changes, plan, verdict);
      const mayBeUnavailable = disturbance.endsProcesses;
      await readAll(judges, { cluster, plan, users, viewers, reads, mayBeUnavailable }, verdict);
      await endChanges();
      over.abort();
      await disturbed;
      for (const judge of judges) judge.settle();
      const seconds = Math.round((performance.now() - start) / 1_000);
      say(`${disturbance.name}, ${seconds} s; so far ${describe(verdict)}`);
    }
    if (verdict.stale.length === 0 || !plan.endsWhenStale) await checkAtRest(cluster, users, verdict);
    return verdict;
  } finally {
    writer.close();
    endReads();
  }
}

type Change = () => Promise<void>;

/** Makes all changes repeatedly until the returned function is called, which resolves when all are answered. */
function startChanges(changes: readonly Change[], { writePauseMs }: RunPlan, verdict: Verdict): () => Promise<void> {
  const over = new AbortController();
  setMaxListeners(changes.length, over.signal);
  const loops = changes.map(async (change) => {
    while (!over.signal.aborted) {
      await change();
      verdict.writes += 2;
      await sleep(Math.random() * writePauseMs, undefined, { signal: over.signal }).catch(() => {});
    }
  });
  const all = Promise.all(loops);
  all.catch(() => {});
  return async () => {
    over.abort();
    await all;
  };
}

interface Reading {
  cluster: Cluster;
  plan: RunPlan;
  users: readonly Subject[];
  viewers: readonly Viewer[];
  reads: number;
  mayBeUnavailable: boolean;
}

async function readAll(judges: readonly Judge[], reading: Reading, verdict: Verdict): Promise<void> {
  const { plan } = reading;
  let left = reading.reads;
  await Promise.all(
    judges.map(async (judge) => {
      while (left > 0 && !(plan.endsWhenStale && verdict.stale.length > 0)) {
        left -= 1;
        try {
          await readOnce(judge, reading);
          verdict.reads += 1;
        } catch (error) {
          if (error instanceof Unavailable && reading.mayBeUnavailable) {
            verdict.unavailable += 1;
            left += 1;
          } else verdict.failed.push((error as Error).message);
        }
        // Without it all readers would read at the same time, and none would join a batch that is under way.
        await sleep(Math.random() * plan.thinkMs);
      }
    }),
  );
}

/** One read at a random gateway: a third of them signed in; of the others 60 % of a timeline, the rest of one or several profiles. */
function readOnce(judge: Judge, { cluster, users, viewers }: Reading): Promise<void> {
  const gateway = pick(cluster.gateways);
  if (Math.random() < 1 / 3) {
    const viewer = pick(viewers);
    const by = pick<ViewerRead>(["timeline", "lookup", "lookup of two", "batch"]);
    return judgeAsViewer(judge, gateway, { viewer, watched: Math.random() < 0.5 ? viewer.open : viewer.shy, by });
  }
  const kind = Math.random();
  if (kind < 0.6) return judgeTimeline(judge, gateway, pick(users));
  return judgeLookup(judge, gateway, kind < 0.9 ? [pick(users)] : users.slice(0, 1 + Math.floor(Math.random() * 5)));
}

/** Reads every user at every gateway after the last write, and notes what differs from the acknowledged writes. */
async function checkAtRest({ gateways }: Cluster, users: readonly Subject[], { lost }: Verdict): Promise<void> {
  for (const { url, name } of gateways) {
    for (const user of users) {
      const [profile = {}] = await whenAvailable(() => readProfiles(url, [user.screenName]));
      for (const states of [await whenAvailable(() => readTimeline(url, user.screenName)), profile]) {
        lost.push(...differences(user, states).map((line) => `at rest, by ${name}: ${line}`));
      }
      const ids = await whenAvailable(() => readIds(url, user.screenName));
      if (ids === undefined) continue;
      for (const id of user.statuses) if (!ids.delete(id)) lost.push(`${user.screenName}'s status ${id}`);
      for (const id of ids) lost.push(`the deletion of ${user.screenName}'s status ${id}`);
    }
  }
}

/** Repeats a read for 30 s: a process notices by a failure that a database server was restarted. */
async function whenAvailable<T>(read: () => Promise<T>): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > end) throw error;
      await sleep(100);
    }
  }
}

function differences({ screenName, histories }: Subject, states: States): string[] {
  return facets
    .filter((facet) => states[facet] !== undefined && states[facet] !== histories[facet].latest)
    .map((facet) => `${screenName}'s ${facet}: ${states[facet]} for ${histories[facet].latest}`);
}
