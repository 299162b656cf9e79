// Which reposts are hidden from a viewer, and how much a read does for them, however many there are.
import * as assert from "uvu/assert";
import { viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool, type Db, type Pool } from "../../services/platform/postgres/pool.ts";
import { largestId } from "../../services/social/domain/timeline-page.ts";
import { listProfiles } from "../../services/social/store/profiles/list-profiles.ts";
import { loadTimeline } from "../../services/social/store/statuses/load-timeline.ts";
import { versionOf } from "../../services/social/views/version.ts";
import { as, type Person, person, publish, textsOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { copyNewest } from "./drift.ts";

const Hidden = suite("reposts that are hidden from a viewer");
let pool: Pool;
Hidden.after(() => pool.end());
const services = useServices(Hidden);
Hidden.before(() => {
  pool = createPool(services.database.social, "test-hidden", createLog("test", "silent"));
});
const [author, viewer, muted] = usePeople(Hidden, services, "author", "viewer", "muted");
/** How many statements were run, and how many rows they gave. */
let work = { statements: 0, rows: 0 };
const db = {
  query: async (statement: never, ...rest: never[]) => {
    const result = await pool.query(statement, ...rest);
    work = { statements: work.statements + 1, rows: work.rows + result.rows.length };
    return result;
  },
} as unknown as Db;

Hidden.before.each(async () => {
  await services.clients.people.muteUser({ userId: viewer.id, screenName: muted.name });
  await publish(services, author, "own");
  work = { statements: 0, rows: 0 };
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
const readTimeline = (db: Db, { id, name }: Person, take = 20) =>
  loadTimeline(db, { nameKey: name.toLowerCase(), userId: id }, { ...page, take }, viewer.id);
const textsOnTimeline = async (author: Person) => textsOf((await readTimeline(db, author))?.statuses ?? []);
/** The users of a lookup, each with the text of the status that is shown with it. */
const lookUp = async (db: Db, ...users: Person[]) => {
  const ids = users.map(({ id }) => id);
  const rows = new Map((await listProfiles(db, ids, [], viewer.id)).map((row) => [row.user_id, row]));
  return ids.map((id) => {
    const author = rows.get(id);
    const status = author === undefined || author.status_id === null ? undefined : author;
    return { author, text: status?.text, repostOf: status?.repost_of_author_id };
  });
};

Hidden("are skipped by the database once their original's author is known", async () => {
  await repost(author, 3_000, `${muted.id}`);
  assert.equal(await textsOnTimeline(author), ["own"]);
  assert.ok(work.statements <= 4 && work.rows < 100, JSON.stringify(work));
});

Hidden("of too many users make a timeline unavailable instead of a short page", async () => {
  await repost(author, 2_000, "1000 + n", "true");
  assert.is((await refusalOf(textsOnTimeline(author))).code, "Unavailable");
  assert.ok(work.statements <= 16 && work.rows < 3_000, JSON.stringify(work));
});

Hidden("are read together for all users of a lookup", async () => {
  const authors = await Promise.all(Array.from({ length: 30 }, () => person(services, "author")));
  for (const each of authors) {
    await publish(services, each, `own of ${each.name}`);
    await repost(each, 5, `${muted.id}`);
  }
  // The viewer's own timeline has all own reposts but restricted ones, and so those of users who are muted.
  await publish(services, viewer, "own");
  await repost(viewer, 6, `case n when 6 then 1000 else ${muted.id} end`, "n = 6");
  work = { statements: 0, rows: 0 };
  const [own, ...others] = await lookUp(db, viewer, ...authors);
  assert.equal(
    textsOf(others),
    authors.map(({ name }) => `own of ${name}`),
  );
  assert.is(own?.repostOf, muted.id);
  assert.ok(work.statements <= 4, JSON.stringify(work));
});

Hidden("are not skipped to a status that is newer than the state of the reply", async () => {
  await repost(author, 5, `${muted.id}`);
  let isChanged = false;
  const slow = changingBetween(async () => {
    await publish(services, author, "later");
    isChanged = true;
  });
  assert.equal([(await lookUp(slow, author))[0]?.text, isChanged], ["own", true]);
});

for (const [read, show] of [
  [
    "a timeline",
    async (db: Db, author: Person) => {
      const timeline = await readTimeline(db, author, 1);
      return { author: timeline?.author, text: timeline?.statuses[0]?.text };
    },
  ],
  ["a lookup", async (db: Db, author: Person) => (await lookUp(db, author))[0]],
] as const) {
  for (const left of ["own", undefined]) {
    const what = left === undefined ? "no status" : "an earlier status";
    Hidden(`are skipped to ${what} by ${read} in a state of the author that the reply names`, async () => {
      const who = left === undefined ? await person(services, "new") : author;
      const newest = await publish(services, who, "deleted");
      await repost(who, 5, `${muted.id}`);
      const { statuses, versions: versionsOf } = services.clients;
      const slow = changingBetween(() => statuses.deleteStatus(newest));
      const shown = await show(slow, who);
      const { versions } = await versionsOf.listVersions({ screenNames: [who.name] });
      assert.ok(shown?.author);
      assert.equal([shown.text, versionOf(shown.author)], [left, ...versions]);
    });
  }

  for (const [what, remove, found] of [
    ["suspended", () => services.clients.moderation.suspend({ userId: author.id }), true],
    ["deleted", () => services.clients.profiles.deleteProfile({ userId: author.id }), undefined],
  ] as const) {
    Hidden(`are skipped by ${read}, which finds that the author was ${what} meanwhile`, async () => {
      await repost(author, 5, `${muted.id}`);
      assert.is((await show(changingBetween(remove), author))?.author?.suspended, found);
    });
  }
}

Hidden("of many different users are all decided in the lookup of one user", async () => {
  await repost(author, 900, "1000 + n", "true");
  assert.is((await lookUp(db, author))[0]?.text, "own");
  assert.ok(work.statements <= 12 && work.rows < 3_000, JSON.stringify(work));
});

Hidden("leave a user without a status in a lookup when they are the newest and 1,000 more", async () => {
  const few = await person(services, "few");
  await publish(services, few, "own");
  await repost(author, 1_001, `${muted.id}`);
  await repost(few, 1_000, `${muted.id}`);
  assert.equal(textsOf(await lookUp(db, author, few)), [undefined, "own"]);
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
  const shown = [`RT @${twice.name}: own`, "own"];
  for (const take of [1n, 2n, 20n]) {
    const { results } = await clients.social.socialTimelines({ screenName: twice.name, take }, as(viewer));
    assert.equal(textsOf(results), shown.slice(0, Number(take)));
  }
  assert.equal(textsOf(await lookUp(db, other, twice)), ["of other", shown[0]]);
});

Hidden("keep a reply from naming a version of the viewer, since it was read in several statements", async () => {
  await repost(author, 1, `${muted.id}`);
  const { social, versions } = services.clients;
  const { viewerVersions } = await versions.listVersions({ viewerIds: [author.id] });
  const named: (string | null)[] = [];
  const noting = (who: Person) => ({
    ...as(who),
    onHeader: (header: Headers) => void named.push(header.get(viewerVersionHeader)),
  });
  await social.socialUsers({ screenNames: [author.name] }, noting(viewer));
  await social.socialTimelines({ screenName: author.name, take: 1n }, noting(viewer));
  // Nothing is hidden from the author.
  await social.socialUsers({ screenNames: [author.name] }, noting(author));
  assert.equal(named, [null, null, ...viewerVersions]);
});

Hidden.run();
