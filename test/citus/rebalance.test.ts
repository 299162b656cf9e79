import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { listRecounted } from "../social/drift.ts";
import { createClusterDatabase, openCluster, shards } from "../support/citus.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { type Person, person, publish, textsOf } from "../support/people.ts";
import { uses } from "../support/suite.ts";
import { startTestSystem } from "../support/system.ts";
import { suiteOnCluster } from "./suite-on-cluster.ts";

const [Rebalance, cluster] = await suiteOnCluster("moved shards", async () => (isLong ? openCluster() : undefined));
const system = uses(Rebalance, async () => startTestSystem({}, await createClusterDatabase(cluster)));
const worker = cluster.nodes.at(-1);
const people: Person[] = [];

Rebalance.before(async () => {
  for (let index = 0; index < 16; index++) people.push(await person(system, "person"));
  for (const author of people) await publish(system, author, "0");
  // As a server that was added: it may have shards, and has none.
  const node = [worker?.host, worker?.port];
  await system.database.query("select citus_drain_node($1, $2, 'block_writes')", node);
  await system.database.query("select citus_set_node_property($1, $2, 'shouldhaveshards', true)", node);
});

Rebalance("are readable and writable while they are moved, and lose no rows", async () => {
  const isOnWorker = async () => new RegExp(`:${worker?.port} `).test((await shards(system.database, "status")).output);
  assert.is(await isOnWorker(), false);
  const over = new AbortController();
  const [read, written] = [readAll(over.signal), writeAll(over.signal)];
  const moved = await shards(system.database, "rebalance", "--block-writes").finally(() => over.abort());
  assert.is(moved.code, 0, moved.output);
  assert.equal([...new Set(await read)], [200]);
  const counts = await written;
  assert.is(await isOnWorker(), true);
  assert.is((await shards(system.database, "verify")).code, 0);
  for (const { name } of people) assert.equal(await readTexts(name), counts.get(name));
  assert.equal(await listRecounted(system), []);
});

/** Reads all timelines repeatedly; returns the HTTP status of each reply. */
async function readAll(over: AbortSignal): Promise<number[]> {
  const replies: number[] = [];
  while (!over.aborted) {
    const all = people.map(async ({ name }) => (await fetch(`${system.url}/social/${name}/timelines`)).status);
    replies.push(...(await Promise.all(all)));
  }
  return replies;
}

/** Publishes for one user after the other, repeating each request until it is answered; returns each user's texts, newest first. */
async function writeAll(over: AbortSignal): Promise<Map<string, string[]>> {
  const texts = new Map(people.map(({ name }) => [name, ["0"]]));
  for (let count = 1; !over.aborted; count++) {
    const author = people[count % people.length] as Person;
    const request = { requestId: randomUUID(), authorId: author.id, text: `${count}` };
    const isAnswered = () =>
      system.clients.statuses.publishStatus(request).then(
        () => true,
        () => false,
      );
    await eventually("the publication is answered", isAnswered, 120);
    texts.get(author.name)?.unshift(request.text);
    // Few enough for one page of 200.
    await sleep(20);
  }
  return texts;
}

async function readTexts(screenName: string): Promise<unknown[]> {
  return textsOf((await system.clients.social.socialTimelines({ screenName, take: 200n })).results);
}

if (isLong) Rebalance.run();
