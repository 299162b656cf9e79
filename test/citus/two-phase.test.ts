import { randomUUID } from "node:crypto";
import pg from "pg";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { listPrepared } from "../../services/social/store/shards/list-prepared.ts";
import { listRecounted } from "../social/drift.ts";
import { killPostgres, openCluster, restartPostgres } from "../support/citus.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { type Person, person, publish } from "../support/people.ts";
import { suiteOnCluster, useServicesOn } from "./suite-on-cluster.ts";

/** In the long form only: on a busy machine the waiting writes end by their timeouts before the kill. */
const [TwoPhase, cluster] = await suiteOnCluster("writes on two workers", openKillable);
const services = useServicesOn(TwoPhase, cluster);
/** Pairs of a user who writes, on one worker, and a user concerned, on the other. */
const pairs: { actor: Person; other: Person; status: { authorId: bigint; id: bigint } }[] = [];
let isDone = false;

/** A cluster whose servers may be killed. */
async function openKillable(): ReturnType<typeof openCluster> {
  const opened = isLong ? await openCluster() : undefined;
  return opened?.folders && opened;
}

TwoPhase.before(async () => {
  const people: Person[] = [];
  for (let index = 0; index < 20; index++) people.push(await person(services, "person"));
  const [actors, others] = [await peopleOn(people, 0), await peopleOn(people, 1)];
  for (const [index, actor] of actors.slice(0, 4).entries()) {
    const other = others[index] as Person;
    pairs.push({ actor, other, status: await publish(services, other) });
  }
  assert.is(pairs.length, 4);
});

async function peopleOn(people: readonly Person[], worker: number): Promise<Person[]> {
  const rows = await services.database.query(
    `select id from unnest($1::bigint[]) as id join pg_dist_shard_placement
       on shardid = get_shard_id_for_distribution_column('social.profile', id) where nodeport = $2`,
    [people.map(({ id }) => id.toString()), cluster.nodes[worker + 1]?.port],
  );
  return people.filter(({ id }) => rows.some((row) => row.id === id.toString()));
}

/** Runs a statement on a server; 0 is the coordinator. */
async function on(server: number, text: string): Promise<Record<string, unknown>[]> {
  const name = new URL(services.database.social).pathname.slice(1);
  const client = new pg.Client(cluster.nodes[server]?.url("postgres", name));
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

async function set(server: number, setting: string, value: string): Promise<void> {
  await on(server, `alter system set ${setting} = '${value}'`);
  await on(server, "select pg_reload_conf()");
}

/**
 * A follow, a mark, a repost and a block, each across the workers; undoes them when they are done. Each is repeated under its request
 * id until it is answered: a session of the coordinator notices by a failure that a worker was unavailable.
 */
function writeAll(): Promise<unknown> {
  const { graph, statuses, people } = services.clients;
  const [a, b, c, d] = pairs as [Pair, Pair, Pair, Pair];
  const blocked = !isDone;
  const writes: ((request: { requestId: string }) => Promise<unknown>)[] = [
    (id) => graph[isDone ? "unfollow" : "follow"]({ followerId: a.actor.id, userId: a.other.id, ...id }),
    (id) => statuses[isDone ? "unfavorite" : "favorite"]({ userId: b.actor.id, status: b.status, ...id }),
    (id) => statuses[isDone ? "unrepost" : "repost"]({ userId: c.actor.id, status: c.status, ...id }),
    (id) => people.blockUser({ userId: d.actor.id, screenName: d.other.name, blocked, ...id }),
  ];
  return Promise.all(
    writes.map((write) => {
      const request = { requestId: randomUUID() };
      const isAnswered = () =>
        write(request).then(
          () => true,
          () => false,
        );
      return eventually("the write is answered", isAnswered, 120);
    }),
  );
}
type Pair = (typeof pairs)[number];

/** One row for each of those writes that is stored; the block has two. */
async function listDone(): Promise<unknown[]> {
  const ids = (side: "actor" | "other") => pairs.map((pair) => pair[side].id.toString());
  return services.database.query(
    `select 'follow' from social.follow union all select 'mark' from social.favorite
     union all select 'repost' from social.status where repost_of_id is not null
     union all select 'block' from social.block where blocker_id = any ($1::bigint[])
     union all select 'blocked' from social.blocked where user_id = any ($2::bigint[])`,
    [ids("actor"), ids("other")],
  );
}

async function countOn(server: number): Promise<number> {
  return (await on(server, "select from pg_prepared_xacts where database = current_database()")).length;
}

for (const [killed, number] of [
  ["a worker", 2],
  ["the coordinator", 0],
] as const) {
  for (const [moment, holder] of [
    ["before all are prepared", 2],
    ["when all are prepared and the commit is decided", 0],
  ] as const) {
    TwoPhase(`are stored on both or on none when ${killed} is killed ${moment}`, () =>
      killWhileWaiting(number, holder),
    );
  }
}

/**
 * Commits and prepares of the holder wait for a standby that does not exist. When the holder is a worker, the coordinator waits for it
 * before it decides; when it is the coordinator, it has decided and the workers do not know.
 */
async function killWhileWaiting(killed: number, holder: number): Promise<void> {
  const folder = cluster.folders?.[killed] as string;
  // Citus recovers prepared transactions when this is set below.
  await set(0, "citus.recover_2pc_interval", "-1");
  await set(holder, "synchronous_standby_names", "none");
  const answers = writeAll();
  let isWaiting = true;
  try {
    // Three of the four: a mark changes only rows of its user, so it needs one phase.
    await eventually("three are prepared", async () => Math.min(await countOn(1), await countOn(2)) >= 3);
    killPostgres(folder);
    isWaiting = holder !== killed;
  } finally {
    if (isWaiting) await set(holder, "synchronous_standby_names", "");
  }
  await eventually("the killed processes are gone", () => restartPostgres(folder));
  const pool = createPool(services.database.social, "test-prepared", createLog("test", "silent"));
  try {
    await eventually("some stay prepared", async () => (await listPrepared(pool, 0)).names.length > 0);
    await set(0, "citus.recover_2pc_interval", "200ms");
    await eventually("none stays prepared", async () => (await listPrepared(pool, 0)).names.length === 0);
  } finally {
    await pool.end();
  }
  await answers;
  isDone = !isDone;
  assert.is((await listDone()).length, isDone ? 5 : 0);
  assert.equal(await listRecounted(services), []);
}

if (isLong) TwoPhase.run();
