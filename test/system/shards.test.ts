import pg from "pg";
import * as assert from "uvu/assert";
import { distribution } from "../../services/social/store/shards/distribution.ts";
import { register } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import type { TestDatabase } from "../support/test-database.ts";

const Shards = suite("statements for one author on the author's shard");

/** The column by which a table's rows are distributed; undefined for tables that are on every shard. */
function columnOf(table: string): string | undefined {
  const place = distribution[table];
  return place === "everywhere" ? undefined : place;
}
const shardCount = 3;

let whole: TestServices;
/** Services with separate databases, each with the rows of its users only. */
const shards: TestServices[] = [];
const people: { userName: string; userId: bigint }[] = [];

Shards.before(async () => {
  whole = await startTestServices();
  await populate();
  for (let index = 0; index < shardCount; index++) {
    const shard = await createTestDatabase();
    // Their start creates the schema.
    shards.push(await startTestServices({}, shard));
    await copyRows(shard, index);
  }
});
Shards.after(async () => {
  for (const services of [whole, ...shards]) await services?.stop();
});

/**
 * Nine users who publish, follow each other, and repost and mark each other's statuses. All have reposted a tenth, who is
 * suspended, and an eleventh, who is protected; both are on no shard.
 */
async function populate(): Promise<void> {
  const { statuses, graph, moderation, profiles } = whole.clients;
  const [tenth, eleventh] = [await register(whole, "tenth"), await register(whole, "eleventh")];
  const { status: ofEleventh } = await statuses.publishStatus({ authorId: eleventh, text: "of the eleventh" });
  const { status: ofTenth } = await statuses.publishStatus({ authorId: tenth, text: "of the tenth" });
  for (let index = 0; index < 9; index++) {
    const userName = `person${index}`;
    people.push({ userName, userId: await register(whole, userName) });
  }
  for (const [index, { userId }] of people.entries()) {
    const next = people[(index + 1) % people.length] as (typeof people)[number];
    const { status } = await statuses.publishStatus({ authorId: userId, text: `to @${next.userName} #tag` });
    await graph.follow({ followerId: next.userId, userId });
    await statuses.repost({ userId: next.userId, status: { authorId: userId, id: status?.id ?? 0n } });
    await statuses.favorite({ userId: next.userId, status: { authorId: userId, id: status?.id ?? 0n } });
    await statuses.repost({ userId, status: { authorId: tenth, id: ofTenth?.id ?? 0n } });
    await statuses.repost({ userId, status: { authorId: eleventh, id: ofEleventh?.id ?? 0n } });
  }
  await moderation.suspend({ userId: tenth });
  await profiles.setProtected({ userId: eleventh, protected: true });
}

/** Distributed in turns, since by their ids a shard might have no user. */
function shardOf(userId: bigint): number {
  return people.findIndex((person) => person.userId === userId) % shardCount;
}

async function copyRows(shard: TestDatabase, index: number): Promise<void> {
  const users = people.map(({ userId }) => userId).filter((userId) => shardOf(userId) === index);
  const client = new pg.Client({ connectionString: shard.social });
  await client.connect();
  for (const [table, place] of Object.entries(distribution)) {
    // Each of these databases has its own epoch; rows of undone reposts are not read.
    if (place === "coordinator" || table === "epoch" || table === "undone_repost") continue;
    const column = columnOf(table);
    const chosen = column === undefined ? "true" : `${column} in (${users.join(", ")})`;
    const rows = await whole.database.query(
      `select coalesce(json_agg(row), '[]')::text as rows from social.${table} as row where ${chosen}`,
    );
    await client.query(`delete from social.${table}`);
    await client.query(`insert into social.${table} select * from json_populate_recordset(null::social.${table}, $1)`, [
      rows[0]?.rows,
    ]);
  }
  await client.end();
}

/** Compares the answers of the whole system with those of the user's shard alone. */
async function compare<T>(
  what: string,
  call: (clients: TestServices["clients"], userId: bigint, userName: string) => Promise<T>,
) {
  for (const { userId, userName } of people) {
    const shard = shards[shardOf(userId)] as TestServices;
    assert.equal(
      await call(shard.clients, userId, userName),
      await call(whole.clients, userId, userName),
      `${what} of ${userName}`,
    );
  }
}

function withoutVersion<P extends { version: string }>(profiles: readonly P[]) {
  return profiles.map((profile) => ({ ...profile, version: undefined }));
}

Shards("have users on every shard, and no shard with all users", async () => {
  const counts = await Promise.all(shards.map(({ database }) => database.query("select from social.profile")));
  assert.ok(
    counts.every((rows) => rows.length > 0 && rows.length < people.length),
    `${counts.map((rows) => rows.length)}`,
  );
  const statuses = await whole.database.query(
    "select from social.status where author_id in (select user_id from social.profile where not suspended and not protected) and not withheld and not restricted",
  );
  assert.is(statuses.length, 2 * people.length);
});

Shards("return the same timeline, profile and token as on one database", async () => {
  await compare(
    "the timeline",
    async ({ social }, _, screenName) => (await social.socialTimelines({ screenName })).results,
  );
  // Each of these databases has its own epoch, which is part of its tokens.
  await compare("the page", async ({ social }, _, screenName) => ({
    ...(await social.socialTimelines({ screenName, take: 1n, maxId: 1n << 52n })),
    version: undefined,
  }));
  await compare("the lookup", async ({ social }, _, screenName) =>
    withoutVersion((await social.socialUsers({ screenNames: [screenName] })).results),
  );
  await compare("the lookup by id", async ({ social }, userId) =>
    withoutVersion((await social.socialUsers({ userIds: [userId] })).results),
  );
  await compare("the profile", ({ profiles }, userId) => profiles.getProfile({ userId }));
});

Shards("find no user of another shard", async () => {
  for (const { userId, userName } of people) {
    const other = shards[(shardOf(userId) + 1) % shardCount] as TestServices;
    assert.equal((await other.clients.social.socialUsers({ userIds: [userId], screenNames: [userName] })).results, []);
  }
});

Shards("publish and delete a status and change a profile", async () => {
  for (const { userId, userName } of people) {
    const shard = shards[shardOf(userId)] as TestServices;
    const { statuses, profiles, social } = shard.clients;
    const { status } = await statuses.publishStatus({ authorId: userId, text: "one more" });
    await profiles.updateProfile({ userId, profile: { location: "here" }, updateMask: { paths: ["location"] } });
    const { results } = await social.socialTimelines({ screenName: userName });
    assert.equal([results.length, results[0]?.id, results[0]?.text], [3, status?.id, "one more"]);
    await statuses.deleteStatus({ authorId: userId, id: status?.id ?? 0n });
    assert.is((await social.socialTimelines({ screenName: userName })).results.length, 2);
  }
});

Shards.run();
