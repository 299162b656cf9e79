import * as assert from "uvu/assert";
import { recount } from "../../cli/verify.ts";
import { confirm } from "../../services/social/rpc/verify.ts";
import { distribution } from "../../services/social/store/shards/distribution.ts";
import { publish, usePeople } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Verify = suite("verify");
const services = useServices(Verify);
const [ann, bea, cy] = usePeople(Verify, services, "ann", "bea", "cy");
const set = (text: string, ...values: unknown[]) => services.database.query(text, values);

async function verify() {
  const lines: string[] = [];
  const counted = await recount(services.clients.verify, (drift) => {
    lines.push(`${drift.userId} ${drift.statusId} ${drift.field} ${drift.stored} ${drift.counted}`);
  });
  assert.is(counted.drifts, lines.length);
  return { ...counted, lines };
}

Verify("reports every wrong counter, and rows that refer to missing ones", async () => {
  const status = await publish(services, ann);
  await set(
    `update social.profile set followers_count = 1, friends_count = 2, favourites_count = 3, statuses_count = 4,
       last_status_id = 5, last_unrestricted_id = 6 where user_id = $1`,
    ann.id,
  );
  await set("update social.status set retweet_count = 6 where id = $1", status.id);
  await set("insert into social.favorite values ($1, $2, 1)", bea.id, ann.id);
  await set("insert into social.follow values ($1, 1)", bea.id);
  await services.clients.statuses.repost({ userId: bea.id, status });
  await set("update social.status set repost_of_id = 2 where author_id = $1", bea.id);
  const { lines } = await verify();
  assert.equal(lines, [
    `${ann.id} 0 favourites_count 3 0`,
    `${ann.id} 0 followers_count 1 0`,
    `${ann.id} 0 friends_count 2 0`,
    `${ann.id} 0 last_status_id 5 ${status.id}`,
    `${ann.id} 0 last_unrestricted_id 6 ${status.id}`,
    `${ann.id} 0 statuses_count 4 1`,
    `${bea.id} 0 favorites_of_missing_statuses 1 0`,
    `${bea.id} 0 favourites_count 0 1`,
    `${bea.id} 0 friends_count 0 1`,
    `${bea.id} 0 relations_of_unknown_users 1 0`,
    `${bea.id} 0 reposts_of_missing_statuses 1 0`,
    `${ann.id} ${status.id} retweet_count 7 0`,
  ]);
  for (const table of ["status", "favorite", "follow", "profile"]) await set(`delete from social.${table}`);
});

Verify("reports follows across a block, users without a name, and reposts that are hidden wrongly", async () => {
  const { clients } = services;
  for (const status of [await publish(services, ann), await publish(services, cy)]) {
    await clients.statuses.repost({ userId: bea.id, status });
  }
  await clients.graph.follow({ followerId: bea.id, userId: ann.id });
  await set("insert into social.block values ($1, $2)", ann.id, bea.id);
  assert.equal((await verify()).lines, [`${ann.id} 0 blocks_on_one_side 1 0`]);
  await set("insert into social.blocked (blocker_id, user_id) values ($1, $2)", ann.id, bea.id);
  assert.equal((await verify()).lines, [`${bea.id} 0 follows_across_blocks 1 0`]);
  await set("delete from social.block");
  assert.equal((await verify()).lines, [`${bea.id} 0 blocks_on_one_side 1 0`, `${bea.id} 0 follows_across_blocks 1 0`]);
  await set("delete from social.blocked");
  await set("update social.screen_name set user_id = $1 where user_id = $2", bea.id, ann.id);
  assert.equal((await verify()).lines, [], "an import may give a name to another user");
  await set("delete from social.screen_name where name_key = $1", ann.name);
  assert.equal((await verify()).lines, [`${ann.id} 0 users_without_name 1 0`]);
  await set("insert into social.screen_name values ($1, $2)", ann.name, ann.id);
  await clients.moderation.suspend({ userId: ann.id });
  await clients.moderation.suspend({ userId: cy.id });
  assert.equal((await verify()).lines, []);
  await set("update social.profile set suspended = false where user_id = $1", cy.id);
  assert.equal((await verify()).lines, [`${bea.id} 0 reposts_withheld_wrongly 1 0`]);
  await set("update social.profile set protected = true where user_id = $1", ann.id);
  assert.equal((await verify()).lines, [
    `${bea.id} 0 reposts_restricted_wrongly 1 0`,
    `${bea.id} 0 reposts_withheld_wrongly 1 0`,
  ]);
  for (const table of ["status", "follow", "profile"]) await set(`delete from social.${table}`);
});

Verify("checks more users and statuses than fit in one page", async () => {
  await set(`insert into social.profile (user_id, screen_name, name, created_at, statuses_count, last_status_id,
      last_unrestricted_id)
    select n, 'user_' || n, 'u', now(), 15, 15, 15 from generate_series(1, 450) as n`);
  await set(`insert into social.screen_name (name_key, user_id)
    select 'user_' || n, n from generate_series(1, 450) as n`);
  await set(`insert into social.status (author_id, id, text, source, created_at, entities)
    select a, n, 't', 's', now(), '{}' from generate_series(1, 450) as a, generate_series(1, 15) as n`);
  await set("update social.profile set statuses_count = 16 where user_id in (1, 200, 201, 450)");
  await set("update social.status set retweet_count = 1 where author_id in (1, 450) and id in (1, 15)");
  const { profiles, statuses, lines } = await verify();
  assert.equal([profiles, statuses, lines.length], [453, 6_750, 8]);
});

Verify("reports only repeated differences, since a write may be half committed", async () => {
  const drift = (field: string) => ({ user_id: 1n, status_id: 0n, field, stored: 1n, counted: 0n });
  const seen = [
    [drift("a"), drift("b"), drift("c")],
    [drift("a"), drift("b")],
    [drift("b"), drift("d")],
  ];
  const { drifts } = await confirm(async () => ({ drifts: seen.shift() ?? [], recounted: 1, last: undefined }));
  assert.equal(drifts, [drift("b")]);
});

Verify.run();

const Distribution = suite("distribution");
useServices(Distribution, {}, services);

Distribution("names every table of the schema, and no other", async () => {
  const rows = await services.database.query("select tablename from pg_tables where schemaname = 'social' order by 1");
  assert.equal(
    rows.map(({ tablename }) => tablename),
    Object.keys(distribution).toSorted(),
    "services/social/store/shards/distribution.ts must say where each table's rows are on a cluster",
  );
});

Distribution("is by a column that is part of every key of its table", async () => {
  const rows = await services.database.query(`
    select relname as table, indexrelid::regclass::text as key, array_agg(attname::text) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where relnamespace = 'social'::regnamespace and (indisunique or indisexclusion) group by 1, 2`);
  assert.ok(rows.length >= Object.keys(distribution).length);
  const lacking = rows.filter(({ table, columns }) => {
    const column = distribution[table as string] as string;
    return !["everywhere", "coordinator"].includes(column) && !(columns as string[]).includes(column);
  });
  assert.equal(lacking, []);
});

Distribution.run();
