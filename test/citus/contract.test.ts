import * as assert from "uvu/assert";
import { distribution } from "../../services/social/store/shards/distribution.ts";
import { loadCases } from "../contract/case-files.ts";
import { openTopic } from "../contract/run-topic.ts";
import { listRecounted } from "../social/drift.ts";
import { createClusterDatabase } from "../support/citus.ts";
import { isLong } from "../support/long.ts";
import { uses } from "../support/suite.ts";
import { startTestSystem } from "../support/system.ts";
import { suiteOnCluster } from "./suite-on-cluster.ts";

const [Contract, cluster] = await suiteOnCluster("contract on a cluster");
const system = uses(Contract, async () => startTestSystem({}, await createClusterDatabase(cluster)));
/** Sections whose cases ask the social service for most of its statements; --long: all. */
const sections = /^(7|8|11) /;

for (const topic of loadCases().filter(({ section }) => isLong || sections.test(section))) {
  let run: ReturnType<typeof openTopic> | undefined;
  for (const golden of topic.cases.filter(({ open }) => open === undefined)) {
    Contract(`§${topic.section}, ${topic.name}: ${golden.title}`, async () => {
      run ??= openTopic(new URL(system.url), topic);
      await run(golden);
    });
  }
}

Contract("leaves every counter right", async () => {
  assert.equal(await listRecounted(system), []);
});

Contract("leaves the same rows in every server's copy of each reference table", async () => {
  const everywhere = Object.keys(distribution).filter((table) => distribution[table] === "everywhere");
  for (const table of everywhere) {
    const copies = await listCopies(table);
    assert.is(copies.length, cluster.nodes.length, table);
    assert.ok(copies[0], table);
    assert.is(new Set(copies).size, 1, table);
  }
});

Contract.run();

/** The rows of each server's copy of a reference table, as text. */
async function listCopies(table: string): Promise<string[]> {
  const rows = await system.database.query(
    `select success, result from run_command_on_placements($1::text::regclass,
       'select string_agg(one::text, chr(10) order by one::text) from %s as one')`,
    [`social.${table}`],
  );
  assert.ok(rows.every(({ success }) => success === true));
  return rows.map(({ result }) => `${result}`);
}
