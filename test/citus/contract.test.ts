import { suite } from "uvu";
import * as assert from "uvu/assert";
import { recount } from "../../cli/verify/recount.ts";
import { loadCases, type Topic } from "../contract/load-cases.ts";
import { openTopic } from "../contract/run-topic.ts";
import { createClusterDatabase, shareCluster } from "../support/citus.ts";
import { isLong } from "../support/long.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Contract = suite("contract on a cluster");
const cluster = await shareCluster();
/** Sections whose cases ask the social service for most of its statements; --long: all. */
const sections = /^(7|8|11) /;
let system: TestSystem | undefined;

Contract.before(async () => {
  if (cluster) system = await startTestSystem({}, await createClusterDatabase(cluster));
});
Contract.after(async () => {
  await system?.stop();
  cluster?.stop();
});

for (const topic of cluster ? loadCases().filter(isTried) : []) {
  let run: ReturnType<typeof openTopic> | undefined;
  for (const golden of topic.cases.filter(({ open }) => open === undefined)) {
    Contract(`§${topic.section}, ${topic.name}: ${golden.title}`, async () => {
      run ??= openTopic(new URL(system?.url ?? ""), topic);
      await run(golden);
    });
  }
}
if (cluster) {
  Contract("leaves every counter right", async () => {
    const drifts: unknown[] = [];
    if (system) await recount(system.clients.verify, (drift) => drifts.push(drift));
    assert.equal(drifts, []);
  });
}
if (cluster === undefined) Contract.skip("every case");

Contract.run();

function isTried({ section }: Topic): boolean {
  return isLong || sections.test(section);
}
