import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { freshnessKey, sessionKey, viewerKey } from "../../services/platform/redis/freshness-key.ts";
import { eventually } from "../support/eventually.ts";
import type { Cluster } from "./cluster.ts";
import type { Subject } from "./facets.ts";
import type { Holds } from "./holds.ts";
import { type Gateway, judgeAsViewer, judgeTimeline } from "./judged-reads.ts";
import type { PlantedFault } from "./planted-faults.ts";
import type { Judge } from "./verdict.ts";
import type { Viewer } from "./viewer.ts";

/** What an order of events needs: users without stored tokens whom no other test changes. */
export interface Scene {
  cluster: Cluster;
  holds: Holds;
  judge: Judge;
  user: Subject;
  /** Changes the user's description, by two writers. */
  change(): Promise<void>;
  viewer: Viewer;
}

/** For each fault one order of events in which it causes a stale read. A sound system has none in any of them. */
export const interleavings: Record<PlantedFault, (scene: Scene) => Promise<void>> = {
  async "set without a lease"(scene) {
    const { holds, change, user } = scene;
    holds.stores.hold();
    holds.storedKeys.clear();
    // At one gateway: another one could store a newer token afterwards. Tokens of other users may be stored late as well.
    const key = freshnessKey(user.screenName);
    await eventually("a token to be stored", () => read(scene, 0).then(() => holds.storedKeys.has(key)));
    await change();
    await holds.stores.release();
    await readAll(scene);
  },

  async "refresh a token that was dropped"(scene) {
    const { holds, change, user } = scene;
    await readUntilStored(scene);
    holds.replacements.hold();
    holds.replacedKeys.clear();
    const key = freshnessKey(user.screenName);
    await eventually("a refresh", () => readAll(scene).then(() => holds.replacedKeys.has(key)));
    await change();
    await holds.replacements.release();
    await readAll(scene);
  },

  async "join the current batch"(scene) {
    const { holds, change } = scene;
    await readUntilStored(scene);
    holds.answers.hold();
    const before = read(scene, 0);
    await eventually("the answer to a request for a token", async () => holds.answers.waiting() > 0);
    await change();
    const { requests } = holds;
    const after = read(scene, 0);
    await eventually("another request", async () => holds.requests > requests);
    await holds.answers.release();
    await Promise.all([before, after]);
  },

  async "acknowledge without the drop"(scene) {
    await readUntilStored(scene);
    await scene.change();
    await readAll(scene);
  },

  async "ignore what Redis reports as changed"(scene) {
    await readUntilRemembered(scene);
    let isOver = false;
    const changing = scene.change().finally(() => (isOver = true));
    // A token counts for a second, so it has to be read shortly before it changes.
    while (!isOver) await readAll(scene);
    await changing;
    await readAll(scene);
  },

  async "answer before Redis has confirmed"(scene) {
    const { cluster, holds, change } = scene;
    const delayRedis = (ms: number) => cluster.redis.proxies.gateways.forEach((proxy) => proxy.delay(ms));
    await readUntilRemembered(scene);
    // Longer than a change takes on a busy machine, so that both gateways are read before Redis has reported it.
    delayRedis(500);
    try {
      await change();
      const { requests } = holds;
      const reads = cluster.gateways.map((_, gateway) => read(scene, gateway));
      await eventually("a read at each gateway", async () => holds.requests >= requests + reads.length);
      delayRedis(0);
      await Promise.all(reads);
    } finally {
      delayRedis(0);
    }
  },

  async "answer before the announcement when nothing changed"(scene) {
    const { holds, user, change } = scene;
    const { description } = user.histories;
    await readUntilStored(scene);
    const before = description.acknowledged;
    holds.announcements.hold();
    const changing = change();
    // In a sound system both writers wait.
    await eventually(
      "the second writer is answered or waits",
      async () => description.acknowledged > before || holds.announcements.waiting() > 1,
    );
    await readAll(scene);
    await holds.announcements.release();
    await changing;
    await readAll(scene);
  },

  async "announce no viewers"({ cluster, judge, viewer }) {
    const look = () => eachOf(cluster, (gateway) => judgeAsViewer(judge, gateway, viewer, viewer.shy, "lookup"));
    await eventually("a viewer's token", () => look().then(() => cluster.redis.holdsTokens(viewerKey(viewer.userId))));
    await viewer.changes.shyRelation();
    await look();
  },

  async "announce no sessions"({ cluster, judge, viewer }) {
    const session = viewer.session();
    // At all gateways at once: the viewer signs in again as soon as both writers are answered.
    const look = () =>
      Promise.all(
        gatewaysOf(cluster).map((gateway) => judgeAsViewer(judge, gateway, viewer, viewer.open, "lookup", session)),
      );
    const key = sessionKey(createHash("sha256").update(session.id).digest());
    await eventually("a session's token", () => look().then(() => cluster.redis.holdsTokens(key)));
    const { session: history } = viewer.own.histories;
    const before = history.acknowledged;
    const changing = viewer.changes.session();
    while (history.acknowledged === before) await nextTurn();
    await look();
    await changing;
  },

  async "reuse relation digests of an older state"({ cluster, judge, viewer }) {
    const look = () => eachOf(cluster, (gateway) => judgeAsViewer(judge, gateway, viewer, viewer.open, "lookup"));
    // The first round makes the replies, the second reads them from the cache.
    for (let round = 0; round < 2; round++) await look();
    await viewer.changes.mark();
    await look();
  },
};

function read({ cluster, judge, user }: Scene, gateway: number): Promise<void> {
  return judgeTimeline(judge, gatewaysOf(cluster)[gateway] as Gateway, user);
}

function readAll(scene: Pick<Scene, "cluster" | "judge" | "user">): Promise<void> {
  return eachOf(scene.cluster, (gateway) => judgeTimeline(scene.judge, gateway, scene.user));
}

async function eachOf(cluster: Cluster, work: (gateway: Gateway) => Promise<void>): Promise<void> {
  for (const gateway of gatewaysOf(cluster)) await work(gateway);
}

/** In one encoding, since each encoding of a page is cached apart: a read in another one would load the page and show no old state. */
function gatewaysOf({ gateways }: Cluster): Gateway[] {
  return gateways.map(({ name, url }) => ({ name, url, encoding: "identity" }));
}

/** Reads at each gateway until the user's token is stored, and once more, so that each has the page. */
async function readUntilStored(scene: Scene): Promise<void> {
  const { cluster, user } = scene;
  await eventually("a token", () => readAll(scene).then(() => cluster.redis.holdsTokens(user.screenName)));
  await readAll(scene);
}

/**
 * Reads until each gateway remembers the user's token. One that has just started, or that Redis answers late, has not seen the tick of
 * a stored token at first, and does not use the token.
 */
export async function readUntilRemembered(scene: Pick<Scene, "cluster" | "holds" | "judge" | "user">): Promise<void> {
  const { holds, cluster } = scene;
  await eventually("each gateway to remember a token", async () => {
    const { confirmations } = holds;
    await readAll(scene);
    return holds.confirmations === confirmations + cluster.gateways.length;
  });
}
