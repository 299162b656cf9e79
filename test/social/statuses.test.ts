import * as assert from "uvu/assert";
import { removeStatuses, undoRemoved } from "../../services/social/rpc/remove-statuses.ts";
import { write } from "../../services/social/rpc/write.ts";
import {
  as,
  type Person,
  profileOf,
  protect,
  publish,
  textsOf,
  timelineOf,
  usePeople,
  valuesOf,
} from "../support/people.ts";
import { refusalLine } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { maintainOnce, useServicesWithoutDrift, withContext } from "./drift.ts";

const Statuses = suite("users' statuses");

const services = useServicesWithoutDrift(Statuses);
const Deletion = suite("delete status");
useServicesWithoutDrift(Deletion, services);
const [ann, bea, shy] = usePeople([Statuses, Deletion], services, "ann", "bea", "shy");

const people = () => services.clients.people;
type Fields = Parameters<TestServices["clients"]["people"]["publishStatus"]>[0];

async function published(author: Person, fields: Fields = {}) {
  const { results } = await people().publishStatus({ userId: author.id, text: "hello", ...fields });
  const [status] = results;
  if (status === undefined || results.length !== 1) throw new Error("not one status");
  return status;
}

Statuses("are published with all fields, and returned as in a timeline", async () => {
  const question = await published(ann, { text: "?" });
  await people().updateProfile({ userId: bea.id, geoEnabled: true });
  const status = await published(bea, {
    text: `@${ann.name} see http://pics.example/a.png #here`,
    inReplyToScreenName: ann.name.toUpperCase(),
    inReplyToStatusId: question.id,
    latitude: 51.5,
    longitude: -0.125,
    lang: "pt-BR",
    source: "<b>x</b>",
    mediaUrls: ["http://pics.example/a.png", "https://pics.example/b.png"],
  });
  const [read] = (await people().socialStatus({ screenName: bea.name, id: status.id }, as(bea))).results;
  assert.equal([status, status.source], [read, "<b>x</b>"]);
  assert.equal(
    [status.inReplyToStatusId, status.inReplyToUserId, status.inReplyToScreenName, status.user?.screenName],
    [question.id, ann.id, ann.name, bea.name],
  );
  assert.equal(
    [status.geo?.coordinates, status.coordinates?.coordinates],
    [
      [51.5, -0.125],
      [-0.125, 51.5],
    ],
  );
  const end = [...status.text].length;
  assert.equal(
    status.entities?.media.map((medium) => [medium.mediaUrl, medium.mediaUrlHttps, medium.displayUrl, medium.indices]),
    [
      ["http://pics.example/a.png", "", "pics.example/a.png", [ann.name.length + 6, ann.name.length + 31]],
      ["https://pics.example/b.png", "https://pics.example/b.png", "pics.example/b.png", [end, end]],
    ],
  );
});

// What HTTP cannot send, or test/contract/cases do not try.
const invalid: [call: () => Promise<unknown>, fields: string][] = [
  [() => published(ann, { text: "a\u0000" }), "text RegularExpression"],
  [() => published(ann, { latitude: Number.NaN, longitude: 0 }), "latitude InclusiveBetween"],
  [() => published(ann, { mediaUrls: Array(2).fill(`https://a.example/${"x".repeat(1_007)}`) }), "mediaUrls Length"],
  [() => people().socialStatus({}), "screenName NotEmpty id NotEmpty"],
  [() => people().markStatus({ userId: ann.id }), "screenName NotEmpty id NotEmpty favorited NotEmpty"],
];

Statuses("with invalid fields are refused with all of these, and change nothing", async () => {
  for (const [call, fields] of invalid) assert.is(await refusalLine(call()), `InvalidArgument ${fields}`);
  assert.equal(await timelineOf(services, ann), []);
});

Statuses("are marked through a repost; the end of the user's own repost returns the original", async () => {
  const { id } = await published(ann);
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, bea);
  const byRepost = { screenName: bea.name, id: repost };
  const [shown] = (await people().markStatus({ userId: shy.id, ...byRepost, favorited: true })).results;
  assert.equal([shown?.id, shown?.favorited], [repost, true]);
  assert.is((await people().socialStatus({ screenName: ann.name, id }, as(shy))).results[0]?.favorited, true);
  const [original] = (await people().markStatus({ userId: bea.id, ...byRepost, retweeted: false })).results;
  assert.equal([original?.id, original?.retweeted, original?.retweetCount], [id, false, 0]);
});

Statuses("cannot be marked through a repost on a protected timeline", async () => {
  const { id } = await published(ann);
  await people().markStatus({ userId: shy.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, shy);
  await protect(services, shy);
  const byRepost = { screenName: shy.name, id: repost, favorited: true };
  assert.is(await refusalLine(people().markStatus({ userId: bea.id, ...byRepost })), "PermissionDenied");
});

Statuses("have links, mentions of known users and hashtags, in code points", async () => {
  const { entities } = await published(ann, {
    text: `😀 @${bea.name.toUpperCase()} and @no_one: see https://x.co/a #été`,
  });
  const end = 3 + bea.name.length;
  const [url] = entities?.urls ?? [];
  assert.equal([url?.url, url?.expandedUrl, url?.displayUrl], ["https://x.co/a", "https://x.co/a", "x.co/a"]);
  const [mention, ...unknown] = entities?.userMentions ?? [];
  assert.equal([mention?.screenName, mention?.name, unknown], [bea.name, "bea", []]);
  assert.equal(valuesOf(entities?.hashtags ?? [], "text"), ["été"]);
  const indices = [entities?.userMentions, entities?.urls, entities?.hashtags].map((found) => found?.[0]?.indices);
  assert.equal(indices, [
    [2, end],
    [end + 18, end + 32],
    [end + 33, end + 37],
  ]);
});

Statuses("never have an id at or below their author's watermark, whatever the clock says", async () => {
  const watermark = 2n ** 52n;
  await services.database.query("update social.profile set id_watermark = $1 where user_id = $2", [watermark, ann.id]);
  assert.equal([(await published(ann)).id, (await published(ann)).id], [watermark + 1n, watermark + 2n]);
});

Statuses("have their own language, or else that of their author's profile", async () => {
  const languageOf = async (author: Person, id: bigint) =>
    (await services.clients.statuses.getStatus({ status: { authorId: author.id, id } })).lang;
  await people().updateProfile({ userId: ann.id, lang: "da" });
  assert.is(await languageOf(ann, (await published(ann, { lang: "fo" })).id), "fo");
  const { id } = await published(ann);
  assert.is(await languageOf(ann, id), "da");
  const answer = await published(ann, { inReplyToScreenName: ann.name, inReplyToStatusId: id });
  assert.is(await languageOf(ann, answer.id), "da");
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, bea);
  assert.is(await languageOf(bea, repost), "da");
});

Statuses("are reposted once as a status of the user, which is gone when that is undone", async () => {
  const { repost, unrepost } = services.clients.statuses;
  const { id } = await published(bea, { text: `${"long ".repeat(55)}end` });
  const mark = { userId: ann.id, status: { authorId: bea.id, id } };
  const [{ status: shown }, second] = [await repost(mark), await repost(mark)];
  assert.is(shown?.id, second.status?.id);
  assert.match(shown?.text ?? "", new RegExp(`^RT @${bea.name}: long .*…$`));
  assert.equal([[...(shown?.text ?? "")].length, shown?.truncated], [279, true]);
  const [mention] = shown?.entities?.userMentions ?? [];
  assert.equal([mention?.id, mention?.indices], [bea.id, [3, 4 + bea.name.length]]);
  const original = async (viewer?: Person) => {
    const [found] = (await people().socialStatus({ screenName: bea.name, id }, as(viewer))).results;
    return [found?.retweetCount, found?.retweeted];
  };
  assert.equal(await original(ann), [1, true]);
  // A repost of the repost counts for the original.
  await repost({ userId: shy.id, status: { authorId: ann.id, id: shown?.id ?? 0n } });
  assert.equal(await original(), [2, false]);
  for (const _again of [1, 2]) await unrepost(mark);
  assert.equal(await original(ann), [1, false]);
  const { statusesCount, status } = (await profileOf(services, ann)) ?? {};
  assert.equal([statusesCount, status], [0, undefined]);
});

Statuses.run();

const remove = (status: { authorId: bigint; id: bigint }) => services.clients.statuses.deleteStatus(status);

/** Deletes a status, and none of what others made of it: as a process that is killed then. */
const removeAlone = (status: { id: bigint }) =>
  withContext(services, (ctx) => write(ctx, [ann.id], (write) => removeStatuses(write, ann.id, [status.id])));
const undoUntil = (ms: number) => withContext(services, (ctx) => undoRemoved(ctx, ann.id, Date.now() + ms));

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
  const { results } = await services.clients.social.socialTimelines({ screenName: bea.name });
  assert.equal(textsOf(results), ["own", `RT @${ann.name}: kept`]);
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
  await removeAlone(status);
  const marks = async (user: Person) => (await profileOf(services, user))?.favouritesCount;
  assert.equal([await marks(ann), await marks(bea)], [0, 1]);
  await undoUntil(10_000);
  assert.is(await marks(bea), 0);
});

Deletion("ends its part after a time, and says whether anything is left", async () => {
  const status = await publish(services, ann);
  await crowd(status, 300);
  await removeAlone(status);
  assert.equal([await undoUntil(-1), await undoUntil(10_000)], [false, true]);
});

for (const [what, finish] of [
  [
    "another request, which finds no status",
    async (id: bigint) => {
      assert.is(await refusalLine(people().deleteStatus({ userId: ann.id, id })), "NotFound");
    },
  ],
  ["maintenance", () => maintainOnce(services)],
] as const) {
  Deletion(`that was interrupted is finished by ${what}`, async () => {
    const status = await publish(services, ann);
    await services.clients.statuses.repost({ userId: bea.id, status });
    await removeAlone(status);
    assert.is((await timelineOf(services, bea)).length, 1);
    await services.database.query("update social.removed_status set removed_at = now() - interval '1 minute'");
    await finish(status.id);
    assert.equal(await timelineOf(services, bea), []);
  });
}

Deletion("that was interrupted is finished by a repetition of the request", async () => {
  const request = { ...(await publish(services, ann)), requestId: "0b9bd6c5-6a5c-4f39-a4b3-0d5f0d9a7a11" };
  await remove(request);
  // As after a crash between the deletion and what follows it: a mark still exists.
  const { query } = services.database;
  await query("insert into social.removed_status (author_id, id) values ($1, $2)", [ann.id, request.id]);
  await query("insert into social.favorite values ($1, $2, $3)", [bea.id, ann.id, request.id]);
  await query("update social.profile set favourites_count = 1 where user_id = $1", [bea.id]);
  await remove(request);
  assert.is((await profileOf(services, bea))?.favouritesCount, 0);
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
