import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { listHome } from "../../services/social/store/statuses/list-home.ts";
import { importStatuses } from "../support/imports.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { as, protect as makeProtected, type Person, person, usePeople } from "../support/people.ts";
import { explaining, sharedCluster } from "../support/postgres.ts";
import { refusalLine } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { allPages, keepsNewer, numbered, type Paged, publishWith, slowPublication, textsOf } from "./pages.ts";

const Home = suite("home, mentions, replies and favourites");
const services = useServices(Home, { MAX_FOLLOWS: "4" });
const [me, ann, bea, cid] = usePeople(Home, services, "me", "ann", "bea", "cid");

const people = () => services.clients.people;
const home = (page: Paged = {}, who = me) => people().socialHome({ userId: who.id, ...page });
const mentions = (page: Paged = {}, who = me) => people().socialMentions({ userId: who.id, ...page });
const favorites = (page: Paged = {}, who = me) => people().socialFavorites({ userId: who.id, ...page });
const replies = (author: Person, id: bigint, page: Paged = {}, viewer?: Person) =>
  people().socialReplies({ screenName: author.name, id, ...page }, as(viewer));
const publish = (author: Person, text: string, fields?: object) => publishWith(services, author, text, fields);
const follow = (user: Person, following = true, who = me) =>
  people().followUser({ userId: who.id, screenName: user.name, following });
const mark = (author: Person, id: bigint, marks: object, who = me) =>
  people().markStatus({ userId: who.id, screenName: author.name, id, ...marks });
const block = (user: Person, who = me, blocked = true) =>
  people().blockUser({ userId: who.id, screenName: user.name, blocked });
const mute = (user: Person, muted = true) => people().muteUser({ userId: me.id, screenName: user.name, muted });
const protect = (user: Person, isProtected?: boolean) => makeProtected(services, user, isProtected);

type Read = (page: Paged) => Promise<{ results: { text: string }[]; next: string }>;
const textsOfAll = async (read: Read, take: bigint) => textsOf({ results: (await allPages(read, take)).flat() });

Home("has the statuses of the followed and one's own, the newest first, each with its user", async () => {
  assert.equal(textsOf(await home()), []);
  await follow(ann);
  await publish(ann, "from ann");
  await publish(bea, "from bea");
  await publish(me, "from me");
  const id = await publish(cid, "from cid");
  await mark(cid, id, { retweeted: true }, ann);
  await mark(ann, (await home()).results.at(-1)?.id ?? 0n, { favorited: true });
  const page = await home();
  assert.equal(textsOf(page), [`RT @${cid.name}: from cid`, "from me", "from ann"]);
  assert.equal(
    page.results.map(({ user, favorited }) => [user?.screenName, favorited]),
    [
      [ann.name, false],
      [me.name, false],
      [ann.name, true],
    ],
  );
  assert.is(page.next, "");
});

Home("shows follows and unfollows, blocks, mutes, protection, suspension and deletions in the next read", async () => {
  await Promise.all([follow(ann), follow(bea), follow(cid)]);
  const id = await publish(ann, "ann");
  await publish(bea, "bea");
  await publish(cid, "cid");
  assert.equal(textsOf(await home()), ["cid", "bea", "ann"]);
  await follow(cid, false);
  assert.equal(textsOf(await home()), ["bea", "ann"]);
  await follow(cid);
  await mute(bea);
  assert.equal(textsOf(await home()), ["cid", "ann"]);
  await mute(bea, false);
  await block(me, bea);
  assert.equal(textsOf(await home()), ["cid", "ann"]);
  await protect(cid);
  assert.equal(textsOf(await home()), ["cid", "ann"], "a follower goes on reading");
  await services.clients.moderation.suspend({ userId: cid.id });
  assert.equal(textsOf(await home()), ["ann"]);
  await people().deleteStatus({ userId: ann.id, id });
  assert.equal(textsOf(await home()), []);
});

Home("leaves out reposts of muted, blocked, suspended and unreadable authors", async () => {
  await follow(ann);
  await mark(bea, await publish(bea, "bea"), { retweeted: true }, ann);
  await mark(cid, await publish(cid, "cid"), { retweeted: true }, ann);
  await publish(ann, "ann");
  const repostOf = (user: Person, text: string) => `RT @${user.name}: ${text}`;
  assert.equal(textsOf(await home()), ["ann", repostOf(cid, "cid"), repostOf(bea, "bea")]);
  await mute(bea);
  await protect(cid);
  assert.equal(textsOf(await home()), ["ann"]);
  await mute(bea, false);
  await protect(cid, false);
  await block(bea);
  await services.clients.moderation.suspend({ userId: cid.id });
  assert.equal(textsOf(await home()), ["ann"]);
});

Home("pages back without doubles and gaps while authors write and delete, with every size of page", async () => {
  await Promise.all([follow(ann), follow(bea), follow(cid)]);
  const texts = numbered("old", 23);
  for (const [index, text] of texts.entries()) await publish([ann, bea, cid, me][(index * 7) % 4] as Person, text);
  for (const take of [1n, 2n, 5n, 22n, 23n, 200n]) {
    const found = await textsOfAll(async (page) => {
      const read = await home(page);
      const deleted = await publish(ann, "new");
      await publish(bea, "new");
      await people().deleteStatus({ userId: ann.id, id: deleted });
      return read;
    }, take);
    const old = found.filter((text) => text !== "new");
    assert.equal(old, texts.toReversed(), `${take}`);
  }
});

Home("finds older statuses of an author whose newest one was deleted, and of many who wrote long ago", async () => {
  await Promise.all([follow(ann), follow(bea)]);
  await publish(bea, "bea 1");
  await publish(ann, "ann 1");
  await publish(ann, "ann 2");
  const last = await publish(ann, "ann 3");
  await people().deleteStatus({ userId: ann.id, id: last });
  assert.equal(textsOf(await home({ take: 3n })), ["ann 2", "ann 1", "bea 1"]);
  await publish(bea, "bea 2");
  const page = await home({ take: 1n });
  assert.equal(textsOf(await home({ cursor: page.next })), ["ann 2", "ann 1", "bea 1"]);
});

Home("has the newest statuses of more authors than a page looks at", async () => {
  const authors = await Promise.all(numbered("author", 15).map((_, index) => person(services, `author${index}`)));
  await services.database.query("insert into social.follow (follower_id, user_id) select $1, unnest($2::bigint[])", [
    me.id,
    authors.map(({ id }) => id),
  ]);
  const texts = numbered("status", 60);
  // At last five of the fifteen write.
  for (const [index, text] of texts.entries())
    await publish(authors[(index * index) % (60 - index < 15 ? 5 : 15)] as Person, text);
  for (const take of [1n, 2n, 7n, 10n, 30n]) assert.equal(await textsOfAll(home, take), texts.toReversed(), `${take}`);
});

Home("orders statuses of one id by their authors, and pages between them", async () => {
  await Promise.all([follow(ann), follow(bea), follow(cid)]);
  const id = await publish(ann, "ann");
  await publish(bea, "bea");
  await publish(cid, "cid");
  for (const { id: authorId } of [bea, cid]) {
    await services.database.query("update social.status set id = $1 where author_id = $2", [id, authorId]);
    await services.database.query("update social.profile set last_status_id = $1 where user_id = $2", [id, authorId]);
  }
  for (const take of [1n, 2n, 3n]) assert.equal(await textsOfAll(home, take), ["cid", "bea", "ann"], `${take}`);
});

Home("gives by newer what was published since, also what was under way, each status once", async () => {
  await Promise.all([follow(ann), follow(bea)]);
  await publish(ann, "before");
  await whileUncommitted(services.database.social, slowPublication(ann), async (transaction) => {
    await publish(bea, "fast");
    const first = await home();
    assert.equal(textsOf(first), ["fast", "before"]);
    await publish(me, "mine");
    const second = await home({ cursor: first.newer });
    assert.equal(textsOf(second), ["mine"]);
    await transaction.commit();
    const third = await home({ cursor: second.newer });
    assert.equal(textsOf(third), ["slow"]);
    assert.equal(textsOf(await home({ cursor: third.newer })), []);
  });
});

Home("gives the same newer while nothing happens, for a minute", async () => {
  await follow(ann);
  await publish(ann, "before");
  // On a cluster the low water is half a minute old, and rises past the newest statuses.
  if (sharedCluster !== undefined) return;
  assert.ok(await keepsNewer(home));
});

Home("takes for no news what authors wrote whom the reader follows, hears or may read only now", async () => {
  await Promise.all([follow(bea), follow(cid), mute(bea)]);
  const hour = 3_600_000;
  const old = ({ id: authorId }: Person, text: string, hours: number) => ({
    authorId,
    originId: text,
    status: { text, createdAt: contractDate(new Date(Date.now() - hours * hour)) },
  });
  await importStatuses(services, [
    old(me, "before", 3),
    old(ann, "followed", 2),
    old(bea, "heard", 2),
    old(cid, "reinstated", 2),
  ]);
  await services.clients.moderation.suspend({ userId: cid.id });
  const first = await home();
  assert.equal(textsOf(first), ["before"]);
  const second = await home({ cursor: first.newer });
  await Promise.all([follow(ann), mute(bea, false), services.clients.moderation.reinstate({ userId: cid.id })]);
  for (const { newer } of [first, second]) assert.equal(textsOf(await home({ cursor: newer })), []);
  assert.is((await home()).results.length, 4);
  await publish(ann, "news");
  for (const { newer } of [first, second]) assert.equal(textsOf(await home({ cursor: newer })), ["news"]);
});

Home("has at most MAX_FOLLOWS users, open requests included", async () => {
  const [fourth, fifth] = [await person(services, "fourth"), await person(services, "fifth")];
  await protect(ann);
  for (const user of [ann, bea, cid, fourth, bea]) await follow(user);
  const one = () => follow(fifth).then(() => "followed", String);
  assert.match(await one(), "You can follow at most 4 users, requests included.");
  await follow(ann, false);
  assert.is(await one(), "followed");
});

Home("lists mentions once they are published, by readable authors, without reposts", async () => {
  const to = `@${me.name.toUpperCase()}`;
  await publish(ann, `one ${to} and ${to}`);
  const id = await publish(bea, `two ${to}`);
  await publish(bea, "none");
  await mark(bea, id, { retweeted: true }, cid);
  await publish(cid, `three ${to}`, { inReplyToScreenName: bea.name, inReplyToStatusId: id });
  const texts = [`three ${to}`, `two ${to}`, `one ${to} and ${to}`];
  assert.equal(textsOf(await mentions()), texts);
  assert.equal(await textsOfAll(mentions, 1n), texts);
  const { newer } = await mentions();
  await publish(ann, `four ${to}`);
  assert.equal(textsOf(await mentions({ cursor: newer })), [`four ${to}`]);
  await people().deleteStatus({ userId: bea.id, id });
  await mute(cid);
  await protect(ann);
  assert.equal(textsOf(await mentions()), []);
  await follow(ann);
  await people().answerFollower({ userId: ann.id, screenName: me.name, approved: true });
  assert.equal(textsOf(await mentions()), [`four ${to}`, texts[2]]);
  await block(me, ann);
  assert.equal(textsOf(await mentions()), []);
});

Home("deletes mentions with their status and with the user who is mentioned", async () => {
  const mentions = "select from social.mention where user_id = any ($1)";
  const count = async () => (await services.database.query(mentions, [[me.id, bea.id]])).length;
  const id = await publish(ann, `to @${me.name} and @${bea.name}`);
  await publish(ann, `to @${bea.name}`);
  assert.is(await count(), 3);
  await people().deleteStatus({ userId: ann.id, id });
  assert.is(await count(), 1);
  await services.clients.profiles.deleteProfile({ userId: bea.id });
  assert.is(await count(), 0);
});

Home("lists what answers a status, the oldest first, for who may read both", async () => {
  const id = await publish(ann, "question");
  const answer = (author: Person, text: string) =>
    publish(author, text, { inReplyToScreenName: ann.name, inReplyToStatusId: id });
  assert.equal(textsOf(await replies(ann, id)), []);
  const first = await answer(bea, "first");
  await answer(cid, "second");
  await publish(me, "to the first answer", { inReplyToScreenName: bea.name, inReplyToStatusId: first });
  await answer(me, "third");
  assert.equal(textsOf(await replies(ann, id)), ["first", "second", "third"]);
  for (const take of [1n, 2n, 3n]) {
    assert.equal(await textsOfAll((page) => replies(ann, id, page), take), ["first", "second", "third"], `${take}`);
  }
  // On a cluster the low water is half a minute old, and rises past these answers.
  if (sharedCluster === undefined) assert.ok(await keepsNewer((page) => replies(ann, id, { take: 1n, ...page })));
  const { newer } = await replies(ann, id, { take: 1n });
  await answer(bea, "fourth");
  await answer(cid, "fifth");
  const news = await replies(ann, id, { cursor: newer });
  assert.equal(textsOf(news), ["fourth", "fifth"]);
  assert.equal(textsOf(await replies(ann, id, { cursor: news.newer })), []);
  await mute(bea);
  await protect(cid);
  assert.equal(textsOf(await replies(ann, id, {}, me)), ["third"]);
  assert.equal(textsOf(await replies(ann, id)), ["first", "third", "fourth"]);
  await block(me, ann);
  assert.is(await refusalLine(replies(ann, id, {}, me)), "PermissionDenied");
  await people().deleteStatus({ userId: ann.id, id });
  assert.is(await refusalLine(replies(ann, id)), "NotFound");
  assert.equal((await people().socialStatus({ screenName: bea.name, id: first })).results[0]?.inReplyToStatusId, id);
});

Home("gives each new answer once where more came in a minute than a cursor remembers", async () => {
  // On a cluster those of the last half minute may come again.
  if (sharedCluster !== undefined) return;
  const id = await publish(ann, "question");
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, entities, in_reply_to_user_id, in_reply_to_status_id)
     select $1, minted.id - number, 'old', '', now(), '{"urls":[],"userMentions":[],"hashtags":[]}', $2, $3
     from (select social.next_id(clock_timestamp()) as id) as minted, generate_series(1, 250) as number`,
    [bea.id, ann.id, id],
  );
  const { newer } = await replies(ann, id, { take: 1n });
  await publish(cid, "new", { inReplyToScreenName: ann.name, inReplyToStatusId: id });
  assert.equal(textsOf(await replies(ann, id, { cursor: newer, take: 200n })), ["new"]);
});

Home("lists one's own favourites, the newest mark first", async () => {
  const ids = [];
  for (const text of numbered("text", 5)) ids.push(await publish(ann, text));
  const secret = await publish(bea, "secret");
  for (const id of [ids[3], ids[0], ids[4]]) await mark(ann, id ?? 0n, { favorited: true });
  await mark(bea, secret, { favorited: true });
  assert.equal(textsOf(await favorites()), ["secret", "text 4", "text 0", "text 3"]);
  assert.equal(await textsOfAll(favorites, 1n), ["secret", "text 4", "text 0", "text 3"]);
  assert.ok((await favorites()).results.every(({ favorited }) => favorited));
  await protect(bea);
  await mark(ann, ids[4] ?? 0n, { favorited: false });
  await people().deleteStatus({ userId: ann.id, id: ids[3] ?? 0n });
  assert.equal(textsOf(await favorites()), ["text 0"]);
  assert.equal(textsOf(await favorites({}, cid)), []);
});

Home("refuses cursors of other operations, users and statuses", async () => {
  const [one, two] = [await publish(ann, "one"), await publish(ann, "two")];
  const own = (await home()).newer;
  const ofMentions = (await mentions()).newer;
  const ofReplies = (await replies(ann, one)).newer;
  const ofOther = (await home({}, ann)).newer;
  const ofPublic = (await people().socialPublic({})).newer;
  const line = "InvalidArgument cursor RegularExpression";
  for (const cursor of [ofOther, ofMentions, ofPublic, ofReplies, `${own}0`, "x"]) {
    assert.is(await refusalLine(home({ cursor })), line, cursor);
  }
  assert.is(await refusalLine(mentions({ cursor: own })), line);
  assert.is(await refusalLine(replies(ann, two, { cursor: ofReplies })), line);
  assert.is(await refusalLine(favorites({ cursor: own })), line);
});

Home("is polled alike when strangers have published little and much since", async () => {
  await Promise.all([follow(ann), follow(cid)]);
  const { newer } = await home();
  const flood = (count: number) => Promise.all(numbered("from bea", count).map((text) => publish(bea, text)));
  await flood(3);
  await publish(ann, "after 3");
  await flood(120);
  await publish(cid, "after 120");
  assert.equal(textsOf(await home({ cursor: newer })), ["after 120", "after 3"]);
  await follow(bea);
  await mute(bea);
  assert.equal(textsOf(await home({ cursor: newer })), ["after 120", "after 3"]);
  await mute(bea, false);
  assert.is((await home({ cursor: newer, take: 50n })).results.length, 50);
});

Home("reads statuses by the index of their author, and the profiles and follows of its authors by theirs", async () => {
  // There the plan is made for each shard.
  if (sharedCluster !== undefined) return;
  await services.database.query(
    `with author as (
       insert into social.profile (user_id, screen_name, name, created_at, last_status_id)
       select 9e8 + number, 'a' || number, '', now(), 1e6 + number from generate_series(1, 30000) as number returning user_id
     ), followed as (
       insert into social.follow (follower_id, user_id)
       select follower, user_id from author, unnest($1::bigint || array(select 9e8 + generate_series(1, 25))::bigint[]) as follower
       where user_id % 200 = follower % 25 and user_id <> follower
     )
     insert into social.status (author_id, id, text, source, created_at, entities)
     select user_id, 1e6 - number, '', '', now(), '{}' from author, generate_series(1, 3) as number`,
    [cid.id],
  );
  await services.database.query("analyze social.profile, social.follow, social.status");
  for (const range of [{ before: { id: 2n ** 52n, authorId: 0n } }, { from: 10n }]) {
    const explained = explaining(services.database);
    await listHome(explained.db, { userId: cid.id, isCluster: false }, range, 40);
    const indexes = ["status_pkey", "profile_pkey", "follow_friends", ...("from" in range ? ["status_newest"] : [])];
    for (const index of indexes) {
      assert.match(explained.plan, new RegExp(`Index (Only )?Scan (Backward )?(using|on) ${index}`), explained.plan);
    }
    assert.not.match(explained.plan, /Seq Scan/, explained.plan);
  }
});

Home.run();
