import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import pg from "pg";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { hasNoStuckTransactions, preparedPart } from "../../services/social/shards/prepared-health.ts";
import { createClusterCheck } from "../../services/social/store/shards/tables.ts";
import { createClusterDatabase, shards } from "../support/citus.ts";
import { eventually } from "../support/eventually.ts";
import { importProfiles } from "../support/imports.ts";
import { person, publish, register, textsOf, valuesOf } from "../support/people.ts";
import { suiteOnCluster, useServicesOn } from "./suite-on-cluster.ts";

const [Shards, cluster] = await suiteOnCluster("a cluster");
const services = useServicesOn(Shards, cluster, false);
const people: { screenName: string; userId: bigint }[] = [];

Shards.before(async () => {
  for (let index = 0; index < 12; index++) {
    const screenName = `person${index}`;
    const userId = await register(services, screenName);
    people.push({ screenName, userId });
    await publish(services, userId, `hello by ${screenName}`);
  }
});

Shards("distributes its tables after a write that has locked one of them and waits for another", async () => {
  const other = await createClusterDatabase(cluster, undefined, false);
  const writer = new pg.Client(other.social);
  await writer.connect();
  try {
    await writer.query("begin");
    await writer.query("update social.status set retweet_count = retweet_count where false");
    const created = shards(other, "create");
    const waiting = "select from pg_locks where not granted and relation = 'social.status'::regclass";
    await eventually("the distribution waits for the write", async () => (await other.query(waiting)).length > 0);
    await writer.query("update social.profile set name = name where false");
    await writer.query("commit");
    assert.is((await created).code, 0);
  } finally {
    await writer.end();
    await other.drop();
  }
});

Shards("distributes the tables of a filled database while it is read, without a change of replies", async () => {
  assert.is((await shards(services.database, "verify")).code, 1);
  const before = await timelines();
  let isDone = false;
  const reading = (async () => {
    while (!isDone) assert.equal(await timelines(), before);
  })();
  const { code, output } = await shards(services.database, "create");
  isDone = true;
  await reading;
  assert.equal([code, /^Distributed: .*profile/.test(output)], [0, true], output);
  assert.equal(await timelines(), before);
  assert.equal(await shards(services.database, "create"), { code: 0, output: "All tables are already distributed." });
  assert.is((await shards(services.database, "verify")).code, 0);
  const status = (await shards(services.database, "status")).output;
  assert.match(status, /profile +user_id/);
  assert.match(status, /:\d+ +\d+ shards, \d+ KiB/);
  assert.is((await shards(services.database, "rebalance", "--block-writes")).code, 0);
});

async function timelines(): Promise<unknown[][]> {
  const pages = await Promise.all(
    people.map(({ screenName }) => services.clients.social.socialTimelines({ screenName })),
  );
  return pages.map(({ results }) => textsOf(results));
}

Shards("reports a table that is not placed as it must be, and does not distribute an unknown one", async () => {
  await services.database.query("create table social.unplaced (user_id bigint primary key)");
  assert.match((await shards(services.database, "verify")).output, "unplaced");
  const error = await shards(services.database, "create").catch((failed: Error) => failed);
  assert.match(error instanceof Error ? error.message : "", "unplaced");
  await services.database.query("drop table social.unplaced");
});

Shards("registers and imports users while another transaction that inserts a name is open", async () => {
  const other = new pg.Client(services.database.social);
  await other.connect();
  try {
    await other.query("begin");
    await other.query("insert into social.screen_name (name_key, user_id) values ('held', 1)");
    const userId = await withTimeout(5_000, register(services, "beside"));
    const imported = importProfiles(services, { userId: 1_000n, profile: { screenName: "imported" } });
    assert.equal(await withTimeout(5_000, imported), ["ADDED"]);
    const { results } = await services.clients.social.socialUsers({ screenNames: ["beside", "imported"] });
    assert.equal(valuesOf(results, "id"), [userId, 1_000n]);
  } finally {
    await other.end();
  }
});

Shards("deletes the name of a deleted user on all servers", async () => {
  const leaver = await person(services, "leaver");
  await services.clients.profiles.deleteProfile({ userId: leaver.id });
  const rows = await services.database.query(
    `select result from run_command_on_all_nodes(format('select count(*) from social.screen_name where name_key = %L', $1::text))`,
    [leaver.name],
  );
  assert.equal(valuesOf(rows, "result"), ["0", "0", "0"]);
});

Shards("reports by its health a write that stays prepared on a worker", async () => {
  const log = createLog("test", "silent");
  const pool = createPool(services.database.social, "test-prepared", log);
  const ctx = { pool, log, isCluster: createClusterCheck(pool) };
  const worker = new pg.Client(cluster.nodes[1]?.url("postgres", new URL(services.database.social).pathname.slice(1)));
  await worker.connect();
  try {
    await worker.query("begin; select pg_current_xact_id(); prepare transaction 'stuck'");
    assert.equal([await hasNoStuckTransactions(ctx), await hasNoStuckTransactions(ctx, 0)], [true, false]);
    await worker.query("rollback prepared 'stuck'");
    assert.is(await hasNoStuckTransactions(ctx, 0), true);
  } finally {
    await Promise.all([worker.end(), pool.end()]);
  }
  const health = createClient(Health, createConnectTransport({ baseUrl: services.socialUrl, httpVersion: "1.1" }));
  assert.is((await health.check({ service: preparedPart })).status, HealthCheckResponse_ServingStatus.SERVING);
});

Shards("gives the same version of a user in a timeline and in a list of users", async () => {
  const { socialUsers, socialTimelines } = services.clients.social;
  const { results } = await socialUsers({ userIds: people.map(({ userId }) => userId) });
  const pages = await Promise.all(people.map(({ screenName }) => socialTimelines({ screenName })));
  assert.equal(
    valuesOf(results, "version"),
    pages.map(({ version }) => version),
  );
});

Shards("lets the users of other workers write, and read an empty list, while a worker is unavailable", async () => {
  const rows = await services.database.query(
    `select id, nodeport as port from unnest($1::bigint[]) as id join pg_dist_shard_placement
       on shardid = get_shard_id_for_distribution_column('social.profile', id)`,
    [people.map(({ userId }) => userId.toString())],
  );
  const usersOn = (node: number) => rows.filter(({ port }) => Number(port) === cluster.nodes[node]?.port);
  const [away, left] = usersOn(1).length < usersOn(2).length ? [0, usersOn(2)] : [1, usersOn(1)];
  const [userId = 0n, otherId = 0n, protectedId = 0n] = left.map(({ id }) => BigInt(`${id}`));
  const { graph, people: own, statuses } = services.clients;
  await setProtected(protectedId, true);
  const nameOf = (id: bigint) => people.find((one) => one.userId === id)?.screenName ?? "";
  const pair = { followerId: userId, userId: otherId };
  await services.database.whileWorkerAway(away, async () => {
    const text = `hello @${nameOf(otherId)}`;
    const status = await publish(services, userId, text);
    await statuses.publishStatus({ authorId: otherId, text, inReplyTo: status });
    await statuses.repost({ userId: otherId, status });
    await statuses.unrepost({ userId: otherId, status });
    await graph.follow(pair);
    await graph.unfollow(pair);
    const asked = { followerId: userId, userId: protectedId };
    await graph.follow(asked);
    await graph.approveFollower(asked);
    assert.equal((await own.socialBlocks({ userId })).results, []);
  });
  await setProtected(protectedId, false);
});

async function setProtected(userId: bigint, isProtected: boolean): Promise<void> {
  await services.database.query("update social.profile set protected = $2 where user_id = $1", [userId, isProtected]);
}

Shards("answers 503 for authors on an unavailable worker and for lists with them, and serves all others", async () => {
  await services.database.whileWorkerAway(0, async () => {
    const outcomes = await Promise.all(
      people.map(({ screenName }) =>
        services.clients.social.socialTimelines({ screenName }).then(() => "served", codeOf),
      ),
    );
    const errors = services.logged.flatMap(({ err }) => (err ? [JSON.stringify(err)] : []));
    assert.equal([...new Set(outcomes)].toSorted(), [Code[Code.Unavailable], "served"], errors.join("\n"));
    const all = await services.clients.social
      .socialUsers({ userIds: people.map(({ userId }) => userId) })
      .then(() => "served", codeOf);
    assert.is(all, Code[Code.Unavailable]);
  });
  // Each session of the coordinator notices by a failure that its connection to the worker is closed.
  await eventually("all are served again", () =>
    timelines().then(
      (all) => all.length === people.length,
      () => false,
    ),
  );
});

function codeOf(error: { code: Code }): string {
  return Code[error.code];
}

Shards.run();
