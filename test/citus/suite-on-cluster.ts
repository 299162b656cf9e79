import type { Test } from "uvu";
import {
  type Cluster,
  type ClusterDatabase,
  createClusterDatabase,
  type openCluster,
  shareCluster,
} from "../support/citus.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite, uses } from "../support/suite.ts";

/**
 * A suite, and the cluster that the files of this room share. Where there is none, the suite counts as one skipped test.
 * @param open opens another cluster, or none
 */
export async function suiteOnCluster(
  name: string,
  open: () => ReturnType<typeof openCluster> = shareCluster,
): Promise<[tests: Test, cluster: Cluster]> {
  const tests = suite(name);
  const cluster = await open();
  if (cluster === undefined) return [skipped(tests), { url: "", nodes: [] }];
  const run = () => {
    // After all that the file stops.
    tests.after(() => cluster.stop());
    tests.run();
  };
  return [Object.assign((...test: Parameters<Test>) => tests(...test), { ...tests, run }), cluster];
}

function skipped(tests: Test): Test {
  const nothing = () => {};
  const hook = Object.assign(nothing, { each: nothing });
  const run = () => {
    tests.skip();
    tests.run();
  };
  return Object.assign(() => {}, { only: nothing, skip: nothing, before: hook, after: hook, run });
}

/** Services of a suite's own on a cluster. */
export function useServicesOn(tests: Test, cluster: Cluster, isSpread = true) {
  return uses(tests, async () => {
    const database = await createClusterDatabase(cluster, undefined, isSpread);
    return (await startTestServices({}, database)) as TestServices & { database: ClusterDatabase };
  });
}
