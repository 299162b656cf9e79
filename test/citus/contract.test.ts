import * as assert from "uvu/assert";
import { distribution } from "../../services/social/store/shards/distribution.ts";
import { loadCases, type Topic } from "../contract/case-files.ts";
import { openTopic } from "../contract/run-topic.ts";
import { listRecounted } from "../social/drift.ts";
import { type ClusterDatabase, createClusterDatabase, shareCluster } from "../support/citus.ts";
import { isLong } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Contract = suite("contract on a cluster");
const cluster = await shareCluster();
/** Sections whose cases ask the social service for most of its statements; --long: all. */
const sections = /^(7|8|11) /;
let database: ClusterDatabase;
let system: TestSystem | undefined;

Contract.before(async () => {
  if (cluster === undefined) return;
  database = await createClusterDatabase(cluster);
  system = await startTestSystem({}, database);
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
    assert.equal(system && (await listRecounted(system)), []);
  });

  Contract("leaves the same rows in every server's copy of each reference table", async () => {
    const everywhere = Object.keys(distribution).filter((table) => distribution[table] === "everywhere");
    for (const table of everywhere) {
      const copies = await listCopies(table);
      assert.is(copies.length, cluster.nodes.length, table);
      assert.ok(copies[0], table);
      for (const copy of copies) assert.is(copy, copies[0], table);
    }
  });
}
if (cluster === undefined) Contract.skip("every case");

Contract.run();

/** The rows of each server's copy of a reference table, as text. */
async function listCopies(table: string): Promise<string[]> {
  const rows = await database.query(
    `select success, result from run_command_on_placements($1::text::regclass,
       'select string_agg(one::text, chr(10) order by one::text) from %s as one')`,
    [`social.${table}`],
  );
  assert.ok(rows.every(({ success }) => success === true));
  return rows.map(({ result }) => `${result}`);
}

function isTried({ section }: Topic): boolean {
  return isLong || sections.test(section);
}
