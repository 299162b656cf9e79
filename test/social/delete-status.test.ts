import * as assert from "uvu/assert";
import { loadConfig } from "../../services/social/config.ts";
import { createContext } from "../../services/social/context.ts";
import { maintain } from "../../services/social/maintenance.ts";
import { removeStatuses, undoRemoved } from "../../services/social/rpc/remove-statuses.ts";
import { write } from "../../services/social/rpc/write.ts";
import { type Person, person, profileOf, publish, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import { untilFinished } from "../support/until-accepted.ts";
import { useServicesWithoutDrift } from "./drift.ts";

const Deletion = suite("delete status");

const services = useServicesWithoutDrift(Deletion);
const [ann, bea] = usePeople(Deletion, services, "ann", "bea");

const remove = (status: { authorId: bigint; id: bigint }) => services.clients.statuses.deleteStatus(status);

async function runMaintenance(): Promise<void> {
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
  await maintain(ctx);
  await ctx.close();
}

Deletion("removes a status from the timeline, the counter and the profile's newest status", async () => {
  const [first, second] = [await publish(services, ann, "one"), await publish(services, ann, "two")];
  await remove(second);
  assert.equal(await timelineOf(services, ann), [first.id]);
  const profile = await profileOf(services, ann);
  assert.equal([profile?.statusesCount, profile?.status?.id], [1, first.id]);
  await remove(first);
  assert.equal(
    [(await profileOf(services, ann))?.statusesCount, (await profileOf(services, ann))?.status],
    [0, undefined],
  );
  assert.ok((await publish(services, ann, "three")).id > second.id);
});

Deletion("removes favourites and reposts of the status, and no others", async () => {
  const { favorite, repost } = services.clients.statuses;
  const [gone, kept] = [await publish(services, ann, "gone"), await publish(services, ann, "kept")];
  for (const status of [gone, kept]) {
    await favorite({ userId: bea.id, status });
    await repost({ userId: bea.id, status });
  }
  const own = await publish(services, bea, "own");
  await repost({ userId: ann.id, status: own });
  await remove(gone);
  const profile = await profileOf(services, bea);
  assert.equal([profile?.favouritesCount, profile?.statusesCount, profile?.status?.id], [1, 2, own.id]);
  const texts = (await services.clients.social.socialTimelines({ screenName: bea.name })).results.map(
    ({ text }) => text,
  );
  assert.equal(texts, ["own", `RT @${ann.name}: kept`]);
});

Deletion("of a repost decrements the original's counter", async () => {
  const status = await publish(services, ann);
  const { status: repost } = await services.clients.statuses.repost({ userId: bea.id, status });
  await remove({ authorId: bea.id, id: repost?.id ?? 0n });
  const [original] = (await services.clients.social.socialTimelines({ screenName: ann.name })).results;
  assert.is(original?.retweetCount, 0);
  assert.equal(await timelineOf(services, bea), []);
});

Deletion("removes favourites and reposts of more than one batch before it answers", async () => {
  const status = await publish(services, ann);
  await crowd(status, 700);
  await remove(status);
  const [left] = await services.database.query(
    "select count(*)::int as n from social.profile where user_id > 5000000 and favourites_count + statuses_count > 0",
  );
  assert.is(left?.n, 0);
});

Deletion("removes the author's own mark of the status in the same transaction", async () => {
  const status = await publish(services, ann);
  for (const marker of [ann, bea]) await services.clients.statuses.favorite({ userId: marker.id, status });
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
  await write(ctx, [ann.id], (write) => removeStatuses(write, ann.id, [status.id]));
  const marks = async (user: Person) => (await profileOf(services, user))?.favouritesCount;
  assert.equal([await marks(ann), await marks(bea)], [0, 1]);
  await undoRemoved(ctx, ann.id, Date.now() + 10_000);
  assert.is(await marks(bea), 0);
  await ctx.close();
});

Deletion("that was interrupted is finished by another request, which finds no status", async () => {
  const status = await publish(services, ann);
  await services.clients.statuses.repost({ userId: bea.id, status });
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
  await write(ctx, [ann.id], (write) => removeStatuses(write, ann.id, [status.id]));
  assert.is((await timelineOf(services, bea)).length, 1);
  const refused = await refusalOf(services.clients.people.deleteStatus({ userId: ann.id, id: status.id }));
  assert.is(refused.code, "NotFound");
  assert.equal(await timelineOf(services, bea), []);
  await ctx.close();
});

Deletion("ends its part after a time, and says whether anything is left", async () => {
  const status = await publish(services, ann);
  await crowd(status, 300);
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
  await write(ctx, [ann.id], (write) => removeStatuses(write, ann.id, [status.id]));
  assert.is(await undoRemoved(ctx, ann.id, Date.now() - 1), false);
  assert.is(await undoRemoved(ctx, ann.id, Date.now() + 10_000), true);
  await ctx.close();
});

Deletion("that was interrupted is finished by a repetition of the request, and by maintenance", async () => {
  const request = { ...(await publish(services, ann)), requestId: "0b9bd6c5-6a5c-4f39-a4b3-0d5f0d9a7a11" };
  const other = await publish(services, ann);
  for (const status of [request, other]) await services.clients.statuses.favorite({ userId: bea.id, status });
  await remove(request);
  // As after a crash between the deletion and what follows it: the mark still exists.
  const cutOff = async ({ authorId, id }: typeof other, seconds: number) => {
    await services.database.query("insert into social.removed_status values ($1, $2, now() - $3 * interval '1 s')", [
      authorId,
      id,
      seconds,
    ]);
    await services.database.query("insert into social.favorite values ($1, $2, $3) on conflict do nothing", [
      bea.id,
      authorId,
      id,
    ]);
    await services.database.query(
      "update social.profile set favourites_count = favourites_count + 1 where user_id = $1",
      [bea.id],
    );
  };
  await cutOff(request, 0);
  await remove(request);
  assert.is((await profileOf(services, bea))?.favouritesCount, 1);

  const gone = { authorId: ann.id, id: 1n };
  await cutOff(gone, 60);
  await runMaintenance();
  assert.is((await profileOf(services, bea))?.favouritesCount, 1);
});

Deletion("concurrently with marks and reposts leaves all counters right, without deadlocks", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => person(services, "busy")));
  const statuses = await Promise.all(people.map((author) => publish(services, author)));
  const { favorite, repost, deleteStatus } = services.clients.statuses;
  const missing: unknown[] = [];
  const calls = statuses.flatMap((status, index) => [
    ...people.map(({ id }) => favorite({ userId: id, status })),
    ...people.map(({ id }) => repost({ userId: id, status })),
    ...(index % 2 ? [untilFinished(() => deleteStatus(status))] : []),
  ]);
  for (const call of await Promise.allSettled<unknown>(calls)) {
    if (call.status === "rejected" && !/no such status/.test(String(call.reason))) missing.push(call.reason);
  }
  assert.equal(missing, []);
});

let crowded = 5_000_000;

/** So many new users who marked a status and reposted it. */
async function crowd({ authorId, id }: { authorId: bigint; id: bigint }, size: number): Promise<void> {
  const run = (text: string) => services.database.query(text, [authorId, id, size, crowded]);
  await run(`insert into social.profile (user_id, screen_name, name, created_at, favourites_count, statuses_count,
               last_status_id, last_unrestricted_id)
             select $4::int + n, 'crowd_' || $4::int + n, 'c', now(), 1, 1, n, n from generate_series(1, $3::int) as n
             where $1::bigint is not null and $2::bigint is not null`);
  await run("insert into social.favorite select $4::int + n, $1, $2 from generate_series(1, $3::int) as n");
  await run(`insert into social.status (author_id, id, text, source, created_at, entities, repost_of_author_id, repost_of_id)
             select $4::int + n, n, 'RT', 'x', now(), '{}', $1, $2 from generate_series(1, $3::int) as n`);
  await services.database.query("update social.status set retweet_count = $1 where id = $2", [size, id]);
  crowded += size;
}

Deletion.run();
