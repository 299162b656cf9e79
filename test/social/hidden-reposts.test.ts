// Which reposts are hidden from a viewer, and how much a read does for them, however many there are.
import * as assert from "uvu/assert";
import { viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool, type Db } from "../../services/platform/postgres/pool.ts";
import { largestId } from "../../services/social/domain/timeline-page.ts";
import { listProfiles } from "../../services/social/store/profiles/list-profiles.ts";
import { loadTimeline } from "../../services/social/store/statuses/load-timeline.ts";
import { versionOf } from "../../services/social/views/version.ts";
import { type Person, person, publish, textsOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { copyNewest } from "./drift.ts";

const Hidden = suite("reposts that are hidden from a viewer");
let services: TestServices;
let pool: ReturnType<typeof createPool>;
/** How many statements were run, and how many rows they gave. */
let work = { statements: 0, rows: 0 };
let db: Db;
let viewer: Person;
let muted: Person;

Hidden.before(async () => {
  services = await startTestServices();
  pool = createPool(services.database.social, "test-hidden", createLog("test", "silent"));
  db = {
    query: async (statement: never, ...rest: never[]) => {
      const result = await pool.query(statement, ...rest);
      work = { statements: work.statements + 1, rows: work.rows + result.rows.length };
      return result;
    },
  } as unknown as Db;
  [viewer, muted] = [await person(services, "viewer"), await person(services, "muted")];
  await services.clients.people.muteUser({ userId: viewer.id, screenName: muted.name });
});
Hidden.before.each(() => {
  work = { statements: 0, rows: 0 };
});
Hidden.after(async () => {
  await pool.end();
  await services.stop();
});

/**
 * Gives a user reposts that are newer than all the user's statuses.
 * @param original an expression for the id of the original's author, of the number `n` of the repost; `restricted` is another one
 */
async function repost(author: Person, count: number, original: string, restricted = "false"): Promise<void> {
  await copyNewest(services.database, author, count, {
    repost_of_author_id: original,
    repost_of_id: "n",
    restricted,
  });
  await pool.query({
    text: `update social.profile set last_status_id = (select max(id) from social.status where author_id = $1) where user_id = $1`,
    values: [author.id],
  });
}

/** The database, with a change between the first read of statuses and the next one. */
function changingBetween(change: () => Promise<unknown>): Db {
  let statements = 0;
  return {
    query: async (statement: never, ...rest: never[]) => {
      if (++statements === 3) await change();
      return pool.query(statement, ...rest);
    },
  } as unknown as Db;
}

const page = { sinceId: 0n, maxId: largestId, take: 20 };
const timelineOf = async ({ id, name }: Person) =>
  (await loadTimeline(db, { nameKey: name.toLowerCase(), userId: id }, page, viewer.id))?.statuses.map(
    ({ text }) => text,
  );

Hidden("are skipped by the database once their original's author is known", async () => {
  const author = await person(services, "author");
  await publish(services, author, "own");
  await repost(author, 3_000, `${muted.id}`);
  assert.equal(await timelineOf(author), ["own"]);
  assert.ok(work.statements <= 4 && work.rows < 100, JSON.stringify(work));
});

Hidden("of too many users make a timeline unavailable instead of a short page", async () => {
  const author = await person(services, "author");
  await publish(services, author, "own");
  await repost(author, 2_000, "1000 + n", "true");
  assert.is((await refusalOf(timelineOf(author))).code, "Unavailable");
  assert.ok(work.statements <= 16 && work.rows < 3_000, JSON.stringify(work));
});

Hidden("are read together for all users of a lookup", async () => {
  const authors = await Promise.all(Array.from({ length: 30 }, () => person(services, "author")));
  for (const [index, author] of authors.entries()) {
    await publish(services, author, `own ${index}`);
    await repost(author, 5, `${muted.id}`);
  }
  // The viewer's own timeline has all own reposts but restricted ones, and so those of users who are muted.
  await publish(services, viewer, "own");
  await repost(viewer, 6, `case n when 6 then 1000 else ${muted.id} end`, "n = 6");
  const ids = [viewer, ...authors].map(({ id }) => id);
  const rows = await listProfiles(db, ids, [], viewer.id);
  const texts = new Map(rows.map((row) => [row.user_id, row.status_id === null ? null : row.text]));
  assert.equal(
    authors.map(({ id }) => texts.get(id)),
    authors.map((_, index) => `own ${index}`),
  );
  const own = rows.find(({ user_id }) => user_id === viewer.id);
  assert.is(own?.status_id === null ? null : own?.repost_of_author_id, muted.id);
  assert.ok(work.statements <= 4, JSON.stringify(work));
});

Hidden("are not skipped to a status that is newer than the state of the reply", async () => {
  const author = await person(services, "author");
  await publish(services, author, "own");
  await repost(author, 5, `${muted.id}`);
  let isChanged = false;
  const slow = changingBetween(async () => {
    await publish(services, author, "later");
    isChanged = true;
  });
  const [row] = await listProfiles(slow, [author.id], [], viewer.id);
  assert.equal([row?.status_id === null ? null : row?.text, isChanged], ["own", true]);
});

for (const [read, show] of [
  [
    "a timeline",
    async (db: Db, { id, name }: Person) => {
      const of = { nameKey: name.toLowerCase(), userId: id };
      const timeline = await loadTimeline(db, of, { ...page, take: 1 }, viewer.id);
      return timeline && { author: timeline.author, text: timeline.statuses[0]?.text };
    },
  ],
  [
    "a lookup",
    async (db: Db, { id }: Person) => {
      const [author] = await listProfiles(db, [id], [], viewer.id);
      return author && { author, text: author.status_id === null ? undefined : author.text };
    },
  ],
] as const) {
  for (const texts of [["own", "deleted"], ["deleted"]]) {
    const what = texts.length === 1 ? "no status" : "an earlier status";
    Hidden(`are skipped to ${what} by ${read} in a state of the author that the reply names`, async () => {
      const author = await person(services, "author");
      let newest = { authorId: author.id, id: 0n };
      for (const text of texts) newest = await publish(services, author, text);
      await repost(author, 5, `${muted.id}`);
      const { statuses, versions: versionsOf } = services.clients;
      const slow = changingBetween(() => statuses.deleteStatus(newest));
      const shown = await show(slow, author);
      const { versions } = await versionsOf.listVersions({ screenNames: [author.name] });
      assert.ok(shown);
      assert.equal([shown.text, versionOf(shown.author)], [texts.length === 1 ? undefined : "own", ...versions]);
    });
  }

  Hidden(`are skipped by ${read}, which finds that the author was suspended or deleted meanwhile`, async () => {
    const { profiles, moderation } = services.clients;
    for (const [remove, found] of [
      [moderation.suspend, true],
      [profiles.deleteProfile, undefined],
    ] as const) {
      const author = await person(services, "author");
      await publish(services, author, "own");
      await repost(author, 5, `${muted.id}`);
      const shown = await show(
        changingBetween(() => remove({ userId: author.id })),
        author,
      );
      assert.is(shown?.author.suspended, found);
    }
  });
}

Hidden("of many different users are all decided in the lookup of one user", async () => {
  const author = await person(services, "author");
  await publish(services, author, "own");
  await repost(author, 900, "1000 + n", "true");
  const [row] = await listProfiles(db, [author.id], [], viewer.id);
  assert.is(row?.status_id === null ? null : row?.text, "own");
  assert.ok(work.statements <= 12 && work.rows < 3_000, JSON.stringify(work));
});

Hidden("leave a user without a status in a lookup when they are the newest and 1,000 more", async () => {
  const [many, few] = [await person(services, "many"), await person(services, "few")];
  for (const author of [many, few]) await publish(services, author, "own");
  await repost(many, 1_001, `${muted.id}`);
  await repost(few, 1_000, `${muted.id}`);
  const rows = await listProfiles(db, [many.id, few.id], [], viewer.id);
  assert.equal(
    [many, few].map(({ id }) => rows.find(({ user_id }) => user_id === id)?.status_id === null),
    [true, false],
  );
  assert.ok(work.rows < 100, JSON.stringify(work));
});

Hidden("do not include reposts of a user's own statuses, which are not skipped after hidden ones either", async () => {
  const { clients } = services;
  const [twice, other] = [await person(services, "twice"), await person(services, "other")];
  const own = await publish(services, twice, "own");
  await publish(services, other, "of other");
  for (const { id: userId } of [twice, other]) await clients.statuses.repost({ userId, status: own });
  for (let index = 0; index < 3; index++) {
    await clients.statuses.repost({ userId: twice.id, status: await publish(services, muted, `${index}`) });
  }
  await clients.people.muteUser({ userId: viewer.id, screenName: twice.name });
  const asViewer = { headers: { "roost-viewer": `${viewer.id}` } };
  const shown = [`RT @${twice.name}: own`, "own"];
  for (const take of [1n, 2n, 20n]) {
    const { results } = await clients.social.socialTimelines({ screenName: twice.name, take }, asViewer);
    assert.equal(textsOf(results), shown.slice(0, Number(take)));
  }
  const { results } = await clients.social.socialUsers({ userIds: [other.id, twice.id] }, asViewer);
  assert.equal(
    results.map(({ status }) => status?.text),
    ["of other", shown[0]],
  );
});

Hidden("keep a reply from naming a version of the viewer, since it was read in several statements", async () => {
  const author = await person(services, "author");
  await publish(services, author, "shown");
  await repost(author, 1, `${muted.id}`);
  const { social, versions } = services.clients;
  const { viewerVersions } = await versions.listVersions({ viewerIds: [viewer.id, author.id] });
  const named: (string | null)[] = [];
  const as = ({ id }: { id: bigint }) => ({
    headers: { "roost-viewer": `${id}` },
    onHeader: (header: Headers) => void named.push(header.get(viewerVersionHeader)),
  });
  await social.socialUsers({ screenNames: [author.name] }, as(viewer));
  await social.socialTimelines({ screenName: author.name, take: 1n }, as(viewer));
  // Nothing is hidden from the author.
  await social.socialUsers({ screenNames: [author.name] }, as(author));
  assert.equal(named, [null, null, viewerVersions[1]]);
});

Hidden.run();
