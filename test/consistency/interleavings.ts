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
  async "join the current batch"(scene) {
    const { holds, change } = scene;
    await readAll(scene);
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
