import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { listPublic } from "../../services/social/store/statuses/list-statuses.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { as, type Person, person, protect, usePeople, valuesOf } from "../support/people.ts";
import { explaining, sharedCluster } from "../support/postgres.ts";
import { refusalLine } from "../support/refusal.ts";
import { type TestServices, useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { allPages, keepsNewer, numbered, publishWith, slowPublication, textsOf } from "./pages.ts";

const Public = suite("public timeline");
const services = useServices(Public);
const [ann, bea, cid] = usePeople(Public, services, "ann", "bea", "cid");

type Request = Parameters<TestServices["clients"]["people"]["socialPublic"]>[0];

const people = () => services.clients.people;
const read = (request: Request = {}, viewer?: Person) => people().socialPublic(request, as(viewer));
const publish = (author: Person, text: string, fields?: object) => publishWith(services, author, text, fields);

/** Publishes texts one after the other, by the authors in turn. */
async function publishAll(authors: readonly Person[], texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) await publish(authors[index % authors.length] as Person, text);
}

Public("has the newest statuses of all, each with its user, as the viewer sees the user", async () => {
  await publishAll([ann, bea], ["first", "second"]);
  const { results } = await read({ take: 2n });
  assert.equal(textsOf({ results }), ["second", "first"]);
  assert.equal(
    results.map(({ user }) => [user?.screenName, user?.notifications]),
    [
      [bea.name, undefined],
      [ann.name, undefined],
    ],
  );
  assert.is((await read({ take: 2n }, ann)).results[0]?.user?.notifications, false);
});

Public("leaves out who is protected, suspended or deleted, and what is deleted, from the next read on", async () => {
  await publishAll([ann, bea, cid], ["from ann", "from bea", "from cid"]);
  assert.equal(textsOf(await read({ take: 3n })), ["from cid", "from bea", "from ann"]);
  await protect(services, ann);
  assert.equal(textsOf(await read({ take: 2n })), ["from cid", "from bea"]);
  assert.not.ok(textsOf(await read({ take: 3n })).includes("from ann"));
  await services.clients.moderation.suspend({ userId: bea.id });
  assert.not.ok(textsOf(await read({ take: 3n })).includes("from bea"));
  await people().deleteStatus({ userId: cid.id, id: (await read({ take: 1n })).results[0]?.id });
  assert.not.ok(textsOf(await read({ take: 3n })).includes("from cid"));
  await protect(services, ann, false);
  assert.equal(textsOf(await read({ take: 1n })), ["from ann"]);
  await services.clients.profiles.deleteProfile({ userId: ann.id });
  assert.not.ok(textsOf(await read({ take: 3n })).includes("from ann"));
});

Public("never has more than three statuses of one author in a row, whatever the size of its pages", async () => {
  await publish(bea, "before");
  await publishAll([ann], numbered("many", 7));
  await publishAll([bea, ann], ["between", "last"]);
  const expected = ["last", "between", "many 6", "many 5", "many 4", "before"];
  for (const take of [1n, 2n, 3n, 4n, 6n]) {
    const found: string[] = [];
    for (let cursor = ""; found.length < expected.length; ) {
      const page = await read({ take, cursor });
      assert.ok(page.results.length > 0);
      found.push(...textsOf(page));
      cursor = page.next;
    }
    assert.equal(found.slice(0, expected.length), expected, `${take}`);
  }
});

Public("shows a viewer no author who is blocked or muted, or who has blocked the viewer", async () => {
  await publishAll([ann, bea, cid], ["from ann", "from bea", "from cid"]);
  const me = await person(services, "me");
  await people().markStatus({
    userId: me.id,
    screenName: ann.name,
    id: (await read({ take: 3n })).results[2]?.id,
    favorited: true,
  });
  await people().blockUser({ userId: me.id, screenName: bea.name });
  assert.equal(textsOf(await read({ take: 2n }, me)), ["from cid", "from ann"]);
  assert.equal(valuesOf((await read({ take: 2n }, me)).results, "favorited"), [false, true]);
  await people().muteUser({ userId: me.id, screenName: cid.name });
  assert.is(textsOf(await read({ take: 1n }, me))[0], "from ann");
  await people().blockUser({ userId: ann.id, screenName: me.name });
  assert.not.ok(textsOf(await read({ take: 3n }, me)).some((text) => text.startsWith("from")));
  assert.equal(textsOf(await read({ take: 3n })), ["from cid", "from bea", "from ann"]);
  await people().blockUser({ userId: me.id, screenName: bea.name, blocked: false });
  assert.equal(textsOf(await read({ take: 1n }, me)), ["from bea"]);
});

Public("pages back without doubles and gaps while others write and delete", async () => {
  await publishAll([ann, bea, cid], numbered("old", 31));
  const found: string[] = [];
  for (let cursor = ""; found.length < 31; ) {
    const page = await read({ take: 4n, cursor });
    found.push(...textsOf(page));
    cursor = page.next;
    await publish(ann, "new");
    // The last one that was shown: the next page begins after it.
    const last = page.results.at(-1);
    if (found.length % 8 === 0) await people().deleteStatus({ userId: last?.user?.id ?? 0n, id: last?.id ?? 0n });
  }
  assert.equal(found.slice(0, 31), numbered("old", 31).toReversed());
});

Public("ends with an empty cursor, and a page may be shorter where many statuses are left out before it", async () => {
  const flood = await person(services, "flood");
  const before = await read({ take: 1n });
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, entities)
     select $1, social.next_id(clock_timestamp()) + number * 4096, 'hidden', '', now(), '{"urls":[],"userMentions":[],"hashtags":[]}'
     from generate_series(1, 2600) as number`,
    [flood.id],
  );
  assert.equal(textsOf(await read({ take: 1n })), ["hidden"]);
  await protect(services, flood);
  const pages = await allPages(read, 200n);
  const found = pages.flat();
  assert.ok(pages.length > 1);
  assert.is(pages[0]?.length, 0);
  assert.is(found[0]?.id, before.results[0]?.id);
  assert.not.ok(found.some(({ text }) => text === "hidden"));
  await services.database.query("delete from social.status where author_id = $1", [flood.id]);
});

Public("gives by newer what was not yet shown, the oldest first by page, and each status once", async () => {
  await publish(ann, "before");
  const first = await read({ take: 1n });
  const again = await read({ cursor: first.newer });
  assert.equal([again.results.length, again.next], [0, ""]);
  // On a cluster the low water is half a minute old, and rises past the newest statuses.
  if (sharedCluster === undefined) assert.ok(await keepsNewer(read), "nothing happened, so the cursor is the same");
  await publishAll([ann, bea, cid], numbered("new", 5));
  const one = await read({ cursor: first.newer, take: 3n });
  assert.equal(textsOf(one), ["new 2", "new 1", "new 0"]);
  const two = await read({ cursor: one.newer, take: 3n });
  assert.equal(textsOf(two), ["new 4", "new 3"]);
  assert.equal(textsOf(await read({ cursor: two.newer })), []);
  const older = await read({ cursor: first.next, take: 1n });
  assert.is(older.newer, first.newer, "older pages repeat the cursor of the first one");
});

Public("takes what was hidden before for no news", async () => {
  // On a cluster it is no news only after the margin of findWater.
  if (sharedCluster !== undefined) return;
  await publish(ann, "hidden");
  await protect(services, ann);
  const first = await read({ take: 1n });
  await protect(services, ann, false);
  assert.equal(textsOf(await read({ cursor: first.newer })), []);
  assert.equal(textsOf(await read({ take: 1n })), ["hidden"]);
});

Public("gives by newer what was being published while the page was read, once", async () => {
  await whileUncommitted(services.database.social, slowPublication(ann), async (transaction) => {
    await publish(bea, "fast");
    const first = await read({ take: 1n });
    assert.equal(textsOf(first), ["fast"]);
    await publish(cid, "faster");
    const second = await read({ cursor: first.newer });
    assert.equal(textsOf(second), ["faster"]);
    await transaction.commit();
    const third = await read({ cursor: second.newer });
    assert.equal(textsOf(third), ["slow"]);
    assert.equal(textsOf(await read({ cursor: third.newer })), []);
    assert.equal(textsOf(await read({ cursor: first.newer })), ["faster", "slow"]);
  });
});

Public("holds news back where a cursor cannot remember more authors, and loses none", async () => {
  // On a cluster these authors would be above the low water in the tests that follow.
  if (sharedCluster !== undefined) return;
  const authors = await Promise.all(Array.from({ length: 205 }, () => person(services, "many")));
  const found: string[] = [];
  let { newer: cursor } = await read({ take: 1n });
  const poll = async () => {
    const page = await read({ cursor, take: 200n });
    cursor = page.newer;
    found.push(...textsOf(page));
  };
  await whileUncommitted(services.database.social, slowPublication(ann), async (transaction) => {
    for (const author of authors) await publish(author, author.name);
    await poll();
    await poll();
    assert.is(found.length, 200);
    assert.ok(cursor.length < 4_096, `${cursor.length}`);
    await transaction.commit();
  });
  await poll();
  assert.equal(found.toSorted(), ["slow", ...authors.map(({ name }) => name)].toSorted());
});

Public("takes what stands below the first page for no news, and what commits there later for news", async () => {
  await whileUncommitted(services.database.social, slowPublication(ann), async (transaction) => {
    await publishAll([bea, cid], numbered("old", 30));
    const first = await read({ take: 1n });
    const second = await read({ cursor: first.newer });
    const third = await read({ cursor: second.newer });
    assert.equal([...textsOf(second), ...textsOf(third)], []);
    await publish(bea, "new");
    await transaction.commit();
    assert.equal(textsOf(await read({ cursor: third.newer })), ["new", "slow"]);
  });
});

Public("gives pollers every status once while many authors write", async () => {
  const authors = await Promise.all(Array.from({ length: 8 }, () => person(services, "writer")));
  const start = await read({ take: 1n });
  let isWriting = true;
  const write = async (author: Person) => {
    for (const text of numbered(author.name, 25)) await publish(author, text, { requestId: randomUUID() });
  };
  const poll = async (take: bigint) => {
    const found: string[] = [];
    for (let cursor = start.newer, isLast = false; ; ) {
      const page = await read({ cursor, take });
      found.push(...textsOf(page));
      if (page.results.length === 0 && isLast) return found;
      isLast = !isWriting;
      cursor = page.newer;
    }
  };
  // Small pages, so that none has more than three of one author.
  const polls = [1n, 2n, 3n].map(poll);
  await Promise.all(authors.map(write)).finally(() => (isWriting = false));
  const published = authors.flatMap(({ name }) => numbered(name, 25)).sort();
  for (const found of await Promise.all(polls)) assert.equal(found.toSorted(), published);
});

Public("refuses a cursor that none of its pages named", async () => {
  const { next, newer } = await read({ take: 1n });
  const changed = (text: string) => text.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const cursor of ["1..".repeat(900), changed(next), changed(newer), newer.slice(1), `${newer}.`]) {
    assert.is(await refusalLine(read({ cursor })), "InvalidArgument cursor RegularExpression", cursor);
  }
});

Public("reads statuses by their index, in order", async () => {
  // There the plan is made for each shard.
  if (sharedCluster !== undefined) return;
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, entities)
     select $1::bigint + number % 3, number, '', '', now(), '{}' from generate_series(1, 20000) as number`,
    [ann.id],
  );
  await services.database.query("analyze social.status");
  for (const range of [{ before: { id: 2n ** 52n, authorId: 0n } }, { from: 10n }]) {
    const explained = explaining(services.database);
    await listPublic(explained.db, range, 40);
    assert.match(explained.plan, /Index Scan (Backward )?using status_public on status/);
    assert.match(explained.plan, /Index Scan using profile_pkey/);
    assert.not.match(explained.plan, /Sort|Seq Scan/);
  }
  await services.database.query("delete from social.status where id <= 20000");
});

Public.run();
