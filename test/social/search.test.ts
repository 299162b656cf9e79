import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { addressHeader } from "../../services/platform/connect/identity.ts";
import {
  chooseList,
  keepHavingAll,
  listFound,
  listSearched,
} from "../../services/social/store/search/search-statuses.ts";
import { listNamed } from "../../services/social/store/search/search-users.ts";
import { listNewsOf } from "../../services/social/store/statuses/list-news.ts";
import { listStatuses } from "../../services/social/store/statuses/list-statuses.ts";
import { importProfiles, importStatuses, jobOf } from "../support/imports.ts";
import { as, type Person, person, protect, usePeople, valuesOf } from "../support/people.ts";
import { explaining, sharedCluster } from "../support/postgres.ts";
import { refusalLine, refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { allPages, type Paged, publishWith, textsOf } from "./pages.ts";

const Search = suite("search");
const services = useServices(Search, { READS_PER_ADDRESS: "5" });
const [ann, bea, cid] = usePeople(Search, services, "ann", "bea", "cid");
/** A word that nothing from before has. */
let word: string;
let count = 0;

Search.before.each(() => {
  word = `word${++count}x`;
});

const people = () => services.clients.people;
const statuses = (q: string, page: Paged = {}, viewer?: Person) => people().searchStatuses({ q, ...page }, as(viewer));
const users = (q: string, page: Paged = {}, viewer?: Person) => people().searchUsers({ q, ...page }, as(viewer));
const texts = async (q: string, viewer?: Person) => textsOf(await statuses(q, {}, viewer));
const namesOf = ({ results }: { results: { screenName: string }[] }) => results.map(({ screenName }) => screenName);
const names = async (q: string, viewer?: Person) => namesOf(await users(q, {}, viewer));

const publish = (author: Person, text: string, fields?: object) => publishWith(services, author, text, fields);

/** Every word that is stored for a status. */
async function storedWords(authorId: bigint): Promise<unknown[]> {
  const rows = await services.database.query("select word from social.status_word where author_id = $1 order by word", [
    authorId,
  ]);
  return rows.map((row) => row.word);
}

Search("stores no words of reposts, and none of a status that was deleted", async () => {
  const id = await publish(ann, `${word} said`);
  await people().markStatus({ userId: bea.id, screenName: ann.name, id, retweeted: true });
  assert.equal([await storedWords(ann.id), await storedWords(bea.id)], [["said", word], []]);
  await people().deleteStatus({ userId: ann.id, id });
  assert.equal(await storedWords(ann.id), []);
  for (const nobody of ["nobody-at-all", "x'; --"]) assert.equal(await texts(`from:${nobody}`), []);
});

Search("leaves out protected, suspended and deleted authors from the next read on, also for a follower", async () => {
  for (const author of [ann, bea, cid]) await publish(author, `${word} ${author.name}`);
  await people().followUser({ userId: cid.id, screenName: ann.name });
  await protect(services, ann);
  assert.equal((await texts(word)).length, 2);
  assert.equal(await texts(`from:${ann.name}`, cid), []);
  await services.clients.moderation.suspend({ userId: bea.id });
  assert.equal(await texts(word), [`${word} ${cid.name}`]);
  await protect(services, ann, false);
  await services.clients.moderation.reinstate({ userId: bea.id });
  assert.equal((await texts(word)).length, 3);
  await services.clients.profiles.deleteProfile({ userId: ann.id });
  assert.equal([(await texts(word)).length, await storedWords(ann.id)], [2, []]);
});

Search("shows a viewer the own marks, and no author who is blocked or muted, or has blocked the viewer", async () => {
  const id = await publish(ann, `${word} ann`);
  await publish(bea, `${word} bea`, { inReplyToScreenName: ann.name, inReplyToStatusId: id });
  await publish(cid, `${word} cid`);
  const me = await person(services, "me");
  await people().markStatus({ userId: me.id, screenName: ann.name, id, favorited: true, retweeted: true });
  const { results } = await statuses(word, {}, me);
  assert.equal(valuesOf(results, "favorited"), [false, false, true]);
  assert.equal(valuesOf(results, "retweeted"), [false, false, true]);
  await people().blockUser({ userId: me.id, screenName: bea.name });
  assert.equal(await texts(word, me), [`${word} cid`, `${word} ann`]);
  await people().muteUser({ userId: me.id, screenName: cid.name });
  assert.equal(await texts(word, me), [`${word} ann`]);
  await people().blockUser({ userId: ann.id, screenName: me.name });
  assert.equal(await texts(word, me), []);
  assert.is((await texts(word)).length, 3);
});

Search("pages back without doubles and gaps while others write and delete", async () => {
  const expected: string[] = [];
  for (let number = 0; number < 23; number++) {
    expected.unshift(`${word} ${number}`);
    await publish([ann, bea, cid][number % 3] as Person, `${word} ${number}`);
  }
  const found: string[] = [];
  for (let cursor: string | undefined; cursor !== ""; ) {
    const page = await statuses(word, { take: 4n, cursor: cursor ?? "" });
    found.push(...textsOf(page));
    cursor = page.next;
    await publish(ann, `${word} new`);
    const last = page.results.at(-1);
    await people().deleteStatus({ userId: last?.user?.id ?? 0n, id: last?.id ?? 0n });
  }
  assert.equal(found, expected);
});

/** Statuses of two authors in turn with one word, and another one in every `every`-th. */
async function fillWith(every: number, total: number): Promise<void> {
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, entities, words, search_rules)
     select case when number % 2 = 0 then $1::bigint else $2::bigint end, number * 4096, $3 || ' ' || number, '', now(),
       '{"urls":[],"userMentions":[],"hashtags":[]}',
       array[$3] || case when number % $4 = 0 then array[$3 || 'b'] else '{}' end, 1
     from generate_series(1, $5::int) as number`,
    [ann.id, bea.id, word, every, total],
  );
  await services.database.query(
    `insert into social.status_word (word, id, author_id)
     select unnest(words), id, author_id from social.status where author_id in ($1, $2)`,
    [ann.id, bea.id],
  );
}

Search("gives all of a search by its pages, of which those may be shorter before which much is left out", async () => {
  await fillWith(400, 4_000);
  const search = (q: string, take: bigint) => allPages((page) => statuses(q, page), take);
  const textsOfAll = (pages: Awaited<ReturnType<typeof search>>) => textsOf({ results: pages.flat() });
  const rare = await search(`${word} ${word}b`, 3n);
  assert.equal(textsOfAll(rare), numbers(4_000, 400));
  assert.equal(valuesOf(rare, "length"), [3, 3, 3, 1], "the rarer word leads");
  const ofAnn = (await search(`from:${ann.name} ${word}`, 200n)).flat();
  assert.is(ofAnn.length, 2_000);
  assert.ok(ofAnn.every(({ user }) => user?.id === ann.id));
  await protect(services, ann);
  const ofBea = numbers(4_000, 1).filter((_, index) => index % 2 === 1);
  assert.equal(textsOfAll(await search(word, 200n)), ofBea);
  await protect(services, bea);
  assert.equal(valuesOf(await search(word, 200n), "length"), [0, 0, 0]);
});

const numbers = (last: number, step: number) =>
  Array.from({ length: last / step }, (_, index) => `${word} ${last - index * step}`);

Search("follows what an import adds, changes and removes", async () => {
  const bring = (originId: string, text: string) =>
    importStatuses(services, [{ authorId: ann.id, originId, status: { text } }], jobOf(ann.id, "search"));
  await bring("1", `${word} NULL one`);
  await bring("2", `${word} two`);
  assert.equal((await texts(word)).toSorted(), [`${word} NULL one`, `${word} two`]);
  assert.equal(await texts(`${word} null`), [`${word} NULL one`]);
  await bring("1", `${word} three`);
  assert.equal([await texts(`${word} one`), await texts(`${word} three`)], [[], [`${word} three`]]);
  assert.equal(await storedWords(ann.id), ["three", "two", word, word]);
  await services.clients.imports.undoImport(jobOf(ann.id, "search"));
  assert.equal([await texts(word), await storedWords(ann.id)], [[], []]);
});

/** Adds a user with a screen name and a name. */
async function user(screenName: string, name: string): Promise<Person> {
  const id = 5_000_000n + BigInt(++count);
  await create(id, screenName, name);
  return { id, name: screenName };
}

function create(userId: bigint, screenName: string, name: string) {
  const createdAt = timestampFromDate(new Date("2020-01-01"));
  return services.clients.profiles.createProfile({ userId, screenName, name, createdAt });
}

Search("finds users by the beginning of the screen name and of words of the name, by screen name", async () => {
  await user(`${word}_b`, "Somebody");
  await user(`x${word}`, `Zoë ${word}Smith`);
  await user(`a${word}`, `${word}`);
  assert.equal(await names(word), [`a${word}`, `${word}_b`, `x${word}`]);
  assert.equal(await names(`@${word.toUpperCase()}_`), [`${word}_b`]);
  assert.equal(await names("!"), []);
  const [first] = (await users(`${word}_b`, {}, ann)).results;
  assert.equal([first?.following, first?.name], [false, "Somebody"]);
  assert.is((await users(`${word}_b`)).results[0]?.following, undefined);
});

Search("shows protected users without their statuses, and no suspended ones", async () => {
  await publish(ann, "hidden");
  assert.is((await users(ann.name)).results[0]?.status?.text, "hidden");
  await protect(services, ann);
  const [shown] = (await users(ann.name)).results;
  assert.equal([shown?.screenName, shown?.status], [ann.name, undefined]);
  await people().blockUser({ userId: ann.id, screenName: bea.name });
  assert.equal(await names(ann.name, bea), [ann.name]);
  await services.clients.moderation.suspend({ userId: ann.id });
  assert.equal(await names(ann.name), []);
});

Search("follows a name's changes and the user's deletion at once", async () => {
  const one = await user(`u${word}`, `Old ${word}`);
  await people().updateProfile({ userId: one.id, name: "Älter" });
  assert.equal([await names(word), await names("alter")], [[], [one.name]]);
  await create(one.id, one.name, `Other ${word}`);
  assert.equal(await names(word), [], "a repeated creation changes nothing");
  await services.clients.profiles.deleteProfile({ userId: one.id });
  assert.equal(await names("alter"), []);
  assert.equal(await services.database.query("select from social.name_prefix where user_id = $1", [one.id]), []);
});

Search("finds imported users by their names of now", async () => {
  const userId = 6_000_000n + BigInt(++count);
  const bring = (screenName: string, name: string) =>
    importProfiles(services, { userId, profile: { screenName, name } });
  await bring(`first${word}`, `${word} Uno`);
  assert.equal(await names(word), [`first${word}`]);
  await bring(`second${word}`, `${word} Due`);
  assert.equal(await names(`${word} uno`), []);
  assert.equal(await names(`${word} due`), [`second${word}`]);
  assert.equal(await names(`first${word}`), []);
  assert.equal(await names(`second${word}`), [`second${word}`]);
});

Search("pages through users by screen name, each once", async () => {
  const expected: string[] = [];
  for (let number = 10; number < 33; number++) {
    const isNamed = number % 2 === 0;
    expected.push((await user(isNamed ? `q${word}${number}` : `${word}${number}`, isNamed ? word : "x")).name);
  }
  const pages = await allPages((page) => users(word, page), 4n);
  assert.equal(namesOf({ results: pages.flat() }), expected.toSorted());
});

Search("refuses a changed cursor, and one of another search, caller or operation", async () => {
  for (const author of [ann, bea, cid]) await publish(author, word);
  const { next } = await statuses(word, { take: 1n });
  const ofViewer = (await statuses(word, { take: 1n }, ann)).next;
  const ofUsers = (await users("a", { take: 1n })).next;
  const changed = next.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  const bad = "InvalidArgument cursor RegularExpression";
  for (const cursor of [changed, next.slice(1), `${next}A`, ofViewer, ofUsers])
    assert.is(await refusalLine(statuses(word, { cursor })), bad, cursor);
  assert.is(await refusalLine(statuses(`${word} `, { cursor: next })), bad);
  for (const [q, cursor] of [
    ["a", next],
    ["b", ofUsers],
  ] as const)
    assert.is(await refusalLine(users(q, { cursor })), bad);
  assert.is((await statuses(word, { cursor: ofViewer }, ann)).results.length, 2);
});

Search("pages on after a user of any name", async () => {
  await user("bad", word);
  await user(`c${word}`, word);
  const { next } = await users(word, { take: 1n });
  assert.equal(namesOf(await users(word, { cursor: next })), [`c${word}`]);
});

Search("limits the reads of an address, and not those of internal callers", async () => {
  const from = { headers: { [addressHeader]: "192.0.2.9" } };
  const reads = [
    () => people().searchUsers({ q: "a" }, from),
    () => people().searchStatuses({ q: "a" }, from),
    () => people().socialPublic({}, from),
  ];
  for (const read of [...reads, ...reads.slice(1)]) await read();
  for (const read of reads) assert.is((await refusalOf(read())).code, "ResourceExhausted");
  await people().socialPublic({}, { headers: { [addressHeader]: "192.0.2.8" } });
  for (let time = 0; time < 10; time++) await statuses("a");
});

Search("reads by its indexes, in order, and no more than it asks for", async () => {
  // There the plan is made for each shard.
  if (sharedCluster !== undefined) return;
  await fillWith(7, 20_000);
  await services.database.query(
    `with named as (
       insert into social.screen_name (name_key, user_id)
       select 'a' || number, 900000000 + number from generate_series(1, 20000) as number returning *
     )
     insert into social.name_prefix (prefix, name_key, user_id) select 'a', name_key, user_id from named`,
  );
  await services.database.query("analyze social.status, social.status_word, social.screen_name, social.name_prefix");
  const explained = explaining(services.database);
  const { db } = explained;
  const before = { id: 2n ** 53n, authorId: 0n };
  const byWord = /Index Only Scan Backward using status_word_pkey/;
  for (const [list, index] of [
    ...[word, `${word}b`, "rare"].map((each) => [() => listSearched(db, { word: each }, before, 40), byWord] as const),
    [() => listSearched(db, { authorId: ann.id }, before, 40), /Index (Only )?Scan Backward using status_pkey/],
    [() => chooseList(db, [word, `${word}b`], ann.id, before), /status_word_pkey[\s\S]*status_word_pkey/],
  ] as const) {
    await list();
    assert.match(explained.plan, index, explained.plan);
    assert.not.match(explained.plan, /Sort|Seq Scan|Bitmap/);
  }
  await listNamed(db, { nameKey: "a", prefix: "a" }, "", 40);
  const byName = /Index Scan using screen_name_pkey[\s\S]*Index Only Scan using name_prefix_pkey/;
  assert.match(explained.plan, byName, explained.plan);
  assert.not.match(explained.plan, /Seq Scan|Bitmap/);
  // Also of authors who have written much no more than what is asked for.
  const keys = [ann, bea].flatMap(({ id: authorId }) =>
    Array.from({ length: 20 }, (_, id) => ({ id: BigInt(id), authorId })),
  );
  const news = keys.map(({ id, authorId }) => ({ authorId, from: id }));
  const byKey = /Index Cond: \(\((author_)?id >?= wanted\.\w+\) AND \((author_)?id >?= wanted\.\w+\)\)/;
  for (const [list, index] of [
    [() => keepHavingAll(db, [before, before], [word, `${word}b`]), /Index Only Scan using status_word_pkey/],
    [() => listFound(db, false, keys, [word]), byKey],
    [() => listStatuses(db, false, keys), byKey],
    [() => listNewsOf(db, false, news, 100), byKey],
  ] as const) {
    await list();
    assert.match(explained.plan, index, explained.plan);
  }
});

Search.run();
