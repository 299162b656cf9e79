import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { type Person, profileOf, timelineOf, usePeople } from "../support/people.ts";
import { refusalLine } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { useServicesWithoutDrift } from "./drift.ts";

const Statuses = suite("users' statuses");

const services = useServicesWithoutDrift(Statuses);
const [ann, bea, shy] = usePeople(Statuses, services, "ann", "bea", "shy");

const people = () => services.clients.people;
type Fields = Parameters<TestServices["clients"]["people"]["publishStatus"]>[0];

async function publish(author: Person, fields: Fields = {}) {
  const { results } = await people().publishStatus({ userId: author.id, text: "hello", ...fields });
  const [status] = results;
  if (status === undefined || results.length !== 1) throw new Error("not one status");
  return status;
}

const protect = (user: Person) => services.clients.profiles.setProtected({ userId: user.id, protected: true });

async function approve(follower: Person, user: Person): Promise<void> {
  await people().followUser({ userId: follower.id, screenName: user.name });
  await people().answerFollower({ userId: user.id, screenName: follower.name, approved: true });
}

Statuses("are published with all fields, and returned as in a timeline", async () => {
  const question = await publish(ann, { text: "?" });
  await people().updateProfile({ userId: bea.id, geoEnabled: true });
  const status = await publish(bea, {
    text: `@${ann.name} see http://pics.example/a.png #here`,
    inReplyToScreenName: ann.name.toUpperCase(),
    inReplyToStatusId: question.id,
    latitude: 51.5,
    longitude: -0.125,
    lang: "pt-BR",
    mediaUrls: ["http://pics.example/a.png", "https://pics.example/b.png"],
  });
  const [read] = (await people().socialStatus({ screenName: bea.name, id: status.id }, as(bea))).results;
  assert.equal(status, read);
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

const as = (viewer: Person) => ({ headers: { "roost-viewer": `${viewer.id}` } });

Statuses("with invalid fields are refused with all of these, and change nothing", async () => {
  const cases: [Fields, string][] = [
    [{ text: " " }, "text NotEmpty"],
    [{ text: "x".repeat(281) }, "text Length"],
    [{ text: "語".repeat(141) }, "text Length"],
    [{ text: "a\u0000" }, "text RegularExpression"],
    [{ inReplyToScreenName: bea.name }, "inReplyToStatusId NotEmpty"],
    [{ inReplyToStatusId: 5n }, "inReplyToScreenName NotEmpty"],
    [{ latitude: 1 }, "longitude NotEmpty"],
    [{ longitude: 1 }, "latitude NotEmpty"],
    [{ latitude: 90.1, longitude: -181 }, "latitude InclusiveBetween longitude InclusiveBetween"],
    [{ latitude: Number.NaN, longitude: 0 }, "latitude InclusiveBetween"],
    [{ lang: "?" }, "lang RegularExpression"],
    [{ mediaUrls: ["ftp://a.example/x"] }, "mediaUrls InvalidUrl"],
    [{ mediaUrls: Array(5).fill("https://a.example/x") }, "mediaUrls InclusiveBetween"],
    [{ mediaUrls: Array(2).fill(`https://a.example/${"x".repeat(1_007)}`) }, "mediaUrls Length"],
    [{ requestId: "7" }, "requestId RegularExpression"],
    [{ text: "", lang: "?", requestId: "" }, "text NotEmpty lang RegularExpression requestId NotEmpty"],
  ];
  for (const [fields, expected] of cases) {
    assert.is(await refusalLine(publish(ann, fields)), `InvalidArgument ${expected}`, JSON.stringify(expected));
  }
  assert.is(await refusalLine(publish(ann, { latitude: 0, longitude: 0 })), "PermissionDenied");
  assert.equal(await timelineOf(services, ann), []);
});

Statuses("answer statuses that their author may read; unknown ones are NotFound, others PermissionDenied", async () => {
  const secret = await publish(shy);
  await protect(shy);
  const answer = (screenName: string, id: bigint) =>
    refusalLine(publish(ann, { inReplyToScreenName: screenName, inReplyToStatusId: id }));
  assert.equal(
    [
      await answer("no_such_user", 1n),
      await answer("?", 1n),
      await answer(bea.name, 1n),
      await answer(shy.name, secret.id),
    ],
    ["NotFound", "NotFound", "NotFound", "PermissionDenied"],
  );
  await approve(ann, shy);
  await publish(ann, { inReplyToScreenName: shy.name, inReplyToStatusId: secret.id });
});

Statuses("are deleted only by their author, with marks and reposts of others", async () => {
  const { id } = await publish(ann);
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, favorited: true, retweeted: true });
  const remove = (user: Person) => people().deleteStatus({ userId: user.id, id });
  assert.is(await refusalLine(remove(bea)), "NotFound");
  assert.is(await refusalLine(people().deleteStatus({ userId: ann.id })), "InvalidArgument id NotEmpty");
  assert.equal((await remove(ann)).results, []);
  assert.is(await refusalLine(remove(ann)), "NotFound");
  assert.equal([await timelineOf(services, ann), await timelineOf(services, bea)], [[], []]);
  assert.is((await profileOf(services, bea))?.favouritesCount, 0);
});

Statuses("are returned singly to users who may read them", async () => {
  const { id } = await publish(shy);
  const read = (fields: { screenName: string; id?: bigint }, viewer?: Person) =>
    people().socialStatus({ id, ...fields }, viewer && as(viewer));
  assert.is((await read({ screenName: shy.name.toUpperCase() })).results[0]?.user?.notifications, undefined);
  await protect(shy);
  assert.equal(
    [await refusalLine(read({ screenName: shy.name })), await refusalLine(read({ screenName: shy.name }, ann))],
    ["Unauthenticated", "PermissionDenied"],
  );
  await approve(ann, shy);
  assert.is((await read({ screenName: shy.name }, ann)).results[0]?.user?.notifications, false);
  assert.is((await read({ screenName: shy.name }, shy)).results[0]?.id, id);
  assert.equal(
    [
      await refusalLine(read({ screenName: shy.name, id: id + 1n }, shy)),
      await refusalLine(read({ screenName: "no_one" })),
    ],
    ["NotFound", "NotFound"],
  );
  assert.is(await refusalLine(people().socialStatus({})), "InvalidArgument screenName NotEmpty id NotEmpty");
});

Statuses("get the requested marks, and are returned with them", async () => {
  const { id } = await publish(ann);
  const mark = async (marks: { favorited?: boolean; retweeted?: boolean }) => {
    const { results } = await people().markStatus({ userId: bea.id, screenName: ann.name, id, ...marks });
    const [status] = results;
    return [status?.id === id, status?.favorited, status?.retweeted, status?.retweetCount, results.length];
  };
  assert.equal(await mark({ favorited: true }), [true, true, false, 0, 1]);
  assert.equal(await mark({ favorited: true, retweeted: true }), [true, true, true, 1, 1]);
  assert.equal(await mark({ retweeted: true }), [true, true, true, 1, 1]);
  assert.equal(await mark({ favorited: false }), [true, false, true, 1, 1]);
  assert.equal(await mark({ retweeted: false, favorited: false }), [true, false, false, 0, 1]);
  assert.equal(await timelineOf(services, bea), []);
});

Statuses("are marked through a repost; the end of the user's own repost returns the original", async () => {
  const { id } = await publish(ann);
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, bea);
  const byRepost = { screenName: bea.name, id: repost };
  const [shown] = (await people().markStatus({ userId: shy.id, ...byRepost, favorited: true })).results;
  assert.equal([shown?.id, shown?.favorited], [repost, true]);
  assert.is((await people().socialStatus({ screenName: ann.name, id }, as(shy))).results[0]?.favorited, true);
  const [original] = (await people().markStatus({ userId: bea.id, ...byRepost, retweeted: false })).results;
  assert.equal([original?.id, original?.retweeted, original?.retweetCount], [id, false, 0]);
});

Statuses("of a protected author are marked by their readers, and cannot be reposted", async () => {
  const { id } = await publish(shy);
  await protect(shy);
  const mark = (user: Person, marks: object) =>
    people().markStatus({ userId: user.id, screenName: shy.name, id, ...marks });
  assert.is(await refusalLine(mark(ann, { favorited: true })), "PermissionDenied");
  await approve(ann, shy);
  assert.is((await mark(ann, { favorited: true })).results[0]?.favorited, true);
  for (const user of [ann, shy]) assert.is(await refusalLine(mark(user, { retweeted: true })), "PermissionDenied");
  // Both marks are set, or none.
  await mark(ann, { favorited: false });
  assert.is(await refusalLine(mark(ann, { favorited: true, retweeted: true })), "PermissionDenied");
  assert.is((await profileOf(services, ann))?.favouritesCount, 0);
});

Statuses("cannot be marked through a repost on a protected timeline", async () => {
  const { id } = await publish(ann);
  await people().markStatus({ userId: shy.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, shy);
  await protect(shy);
  const byRepost = { screenName: shy.name, id: repost, favorited: true };
  assert.is(await refusalLine(people().markStatus({ userId: bea.id, ...byRepost })), "PermissionDenied");
});

Statuses("cannot be marked without a mark, a name and an id, or when they are unknown", async () => {
  const mark = (fields: object) => refusalLine(people().markStatus({ userId: ann.id, ...fields }));
  assert.is(await mark({ screenName: ann.name, id: 1n }), "InvalidArgument favorited NotEmpty");
  assert.is(await mark({}), "InvalidArgument screenName NotEmpty id NotEmpty favorited NotEmpty");
  assert.is(await mark({ screenName: "no_such_user", id: 1n, favorited: true }), "NotFound");
  assert.is(await mark({ screenName: ann.name, id: 1n, favorited: true }), "NotFound");
});

Statuses("are marked once by a repeated request, and another one under its id is refused with Equal", async () => {
  const requestId = randomUUID();
  const { id } = await publish(ann);
  const marks = { userId: bea.id, screenName: ann.name, id, favorited: true, requestId };
  const first = await people().markStatus(marks);
  await people().markStatus({ ...marks, requestId: randomUUID(), favorited: false });
  assert.equal(await people().markStatus({ ...marks, requestId: requestId.toUpperCase() }), first);
  assert.is((await profileOf(services, bea))?.favouritesCount, 0);
  for (const other of [
    () => people().markStatus({ ...marks, retweeted: true }),
    () => people().followUser({ userId: bea.id, screenName: ann.name, requestId }),
    () => publish(bea, { requestId }),
  ]) {
    assert.is(await refusalLine(other()), "InvalidArgument requestId Equal");
  }
  const removal = { userId: ann.id, id, requestId };
  await people().deleteStatus(removal);
  assert.equal((await people().deleteStatus(removal)).results, []);
  // The answer stays the same, also when the author was deleted.
  await services.clients.profiles.deleteProfile({ userId: ann.id });
  assert.equal(await people().markStatus(marks), first);
});

Statuses("are the newest of their author in the next read, and counted", async () => {
  const first = await publish(ann, { text: "one" });
  const second = await services.clients.statuses.publishStatus({ authorId: ann.id, text: "two", source: "<b>x</b>" });
  const { results, author } = await services.clients.social.socialTimelines({ screenName: ann.name });
  assert.equal(
    results.map(({ id, text, source }) => ({ id, text, source })),
    [
      { id: second.status?.id, text: "two", source: "<b>x</b>" },
      { id: first.id, text: "one", source: "Roost" },
    ],
  );
  assert.is(author?.statusesCount, 2);
  const { status } = (await profileOf(services, ann)) ?? {};
  assert.equal([status?.id, status?.user], [second.status?.id, undefined]);
});

Statuses("have links, mentions of known users and hashtags, in code points", async () => {
  const { entities } = await publish(ann, {
    text: `😀 @${bea.name.toUpperCase()} and @no_one: see https://x.co/a #été`,
  });
  const end = 3 + bea.name.length;
  assert.equal(
    entities?.userMentions.map(({ screenName, name, indices }) => ({ screenName, name, indices })),
    [{ screenName: bea.name, name: "bea", indices: [2, end] }],
  );
  assert.equal(
    entities?.urls.map(({ url, expandedUrl, displayUrl, indices }) => [url, expandedUrl, displayUrl, indices]),
    [["https://x.co/a", "https://x.co/a", "x.co/a", [end + 18, end + 32]]],
  );
  assert.equal(
    entities?.hashtags.map(({ text, indices }) => ({ text, indices })),
    [{ text: "été", indices: [end + 33, end + 37] }],
  );
});

Statuses("never have an id at or below their author's watermark, whatever the clock says", async () => {
  const watermark = 2n ** 52n;
  await services.database.query("update social.profile set id_watermark = $1 where user_id = $2", [watermark, ann.id]);
  assert.equal([(await publish(ann)).id, (await publish(ann)).id], [watermark + 1n, watermark + 2n]);
});

Statuses("have their own language, or else that of their author's profile", async () => {
  const languageOf = async (author: Person, id: bigint) =>
    (await services.clients.statuses.getStatus({ status: { authorId: author.id, id } })).lang;
  await people().updateProfile({ userId: ann.id, lang: "da" });
  assert.is(await languageOf(ann, (await publish(ann, { lang: "fo" })).id), "fo");
  const { id } = await publish(ann);
  assert.is(await languageOf(ann, id), "da");
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  const [repost = 0n] = await timelineOf(services, bea);
  assert.is(await languageOf(bea, repost), "da");
});

Statuses("are reposted once as a status of the user, which is gone when that is undone", async () => {
  const { repost, unrepost } = services.clients.statuses;
  const { id } = await publish(bea, { text: `${"long ".repeat(55)}end` });
  const mark = { userId: ann.id, status: { authorId: bea.id, id } };
  const [first, second] = [await repost(mark), await repost(mark)];
  assert.is(first.status?.id, second.status?.id);
  const newest = async (author: Person, viewer?: Person) =>
    (await services.clients.social.socialTimelines({ screenName: author.name }, viewer && as(viewer))).results[0];
  const shown = await newest(ann);
  assert.is(shown?.text, first.status?.text);
  assert.match(shown?.text ?? "", new RegExp(`^RT @${bea.name}: long .*…$`));
  assert.equal([[...(shown?.text ?? "")].length, shown?.truncated], [279, true]);
  assert.equal(
    shown?.entities?.userMentions.map(({ id, indices }) => ({ id, indices })),
    [{ id: bea.id, indices: [3, 4 + bea.name.length] }],
  );
  const original = async (viewer?: Person) => {
    const found = await newest(bea, viewer);
    return [found?.retweetCount, found?.retweeted];
  };
  const seen = [await original(ann), await original(bea), await original()];
  assert.equal(seen, [
    [1, true],
    [1, false],
    [1, false],
  ]);
  assert.is((await profileOf(services, ann))?.statusesCount, 1);

  // A repost of the repost counts for the original.
  await repost({ userId: shy.id, status: { authorId: ann.id, id: first.status?.id ?? 0n } });
  assert.equal(await original(), [2, false]);

  for (const _again of [1, 2]) await unrepost(mark);
  assert.equal(await original(ann), [1, false]);
  const { statusesCount, status } = (await profileOf(services, ann)) ?? {};
  assert.equal([statusesCount, status, await newest(ann)], [0, undefined, undefined]);
});

Statuses("are counted once as a user's favourites, and shown as such only to that user", async () => {
  const { favorite, unfavorite } = services.clients.statuses;
  const { id } = await publish(bea);
  const mark = { userId: ann.id, status: { authorId: bea.id, id } };
  const flag = async (viewer?: Person) => {
    const [user] = (await services.clients.social.socialUsers({ userIds: [bea.id] }, viewer && as(viewer))).results;
    return user?.status?.favorited;
  };
  const count = async () => (await profileOf(services, ann))?.favouritesCount;
  for (let again = 0; again < 3; again++) await favorite(mark);
  assert.equal([await flag(ann), await flag(bea), await flag(), await count()], [true, false, false, 1]);
  for (let again = 0; again < 3; again++) await unfavorite(mark);
  assert.equal([await flag(ann), await count()], [false, 0]);
});

Statuses.run();
