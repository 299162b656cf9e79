import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import * as assert from "uvu/assert";
import { createClusterDatabase, shareCluster } from "../support/citus.ts";
import { as, type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Asked = suite("shards of a statement");
const cluster = await shareCluster();
let services: TestServices;
/** Two users on different shards. */
let ann: Person;
let bea: Person;
/** The named statements that the services in this process have sent, each with the values of one call. */
const asked = new Map<string, Statement>();
const query = pg.Client.prototype.query;

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

Asked.before(async () => {
  if (cluster === undefined) return;
  pg.Client.prototype.query = function (this: pg.Client, statement: Partial<Statement>, ...rest: unknown[]) {
    if (statement.name !== undefined) asked.set(statement.name, statement as Statement);
    return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest);
  } as typeof query;
  services = await startTestServices({}, await createClusterDatabase(cluster));
  const people = [];
  for (let index = 0; index < 6; index++) people.push(await person(services, "person"));
  const shards = await services.database.query(
    "select id, get_shard_id_for_distribution_column('social.profile', id) as shard from unnest($1::bigint[]) as id",
    [people.map(({ id }) => id.toString())],
  );
  const shardOf = ({ id }: Person) => shards.find((row) => row.id === id.toString())?.shard;
  ann = people[0] as Person;
  bea = people.find((other) => shardOf(other) !== shardOf(ann)) as Person;
  await publish(services, ann);
});
Asked.after(async () => {
  pg.Client.prototype.query = query;
  await services?.stop();
  cluster?.stop();
});

/** The rows of the table in docs/scaling.md: the operation, and "`statement` shards" for each of its statements. */
function readTable(): Map<string, string> {
  const text = readFileSync(join(import.meta.dirname, "../../docs/scaling.md"), "utf8");
  const [, table = ""] = /\| Asked for \|.*\n\|.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  return new Map(
    table
      .trim()
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .map(([, what = "", statements = ""]) => [what, statements]),
  );
}

const operations: Record<string, () => Promise<unknown>> = {
  "a timeline": () => services.clients.social.socialTimelines({ screenName: ann.name }),
  "a timeline, by a viewer": () => services.clients.social.socialTimelines({ screenName: ann.name }, as(bea)),
  "two profiles": () => services.clients.social.socialUsers({ userIds: [ann.id, bea.id] }),
  "versions of two authors": () => services.clients.versions.listVersions({ screenNames: [ann.name, bea.name] }),
  "a publication": () => publish(services, ann),
  "a publication that mentions a user": () => publish(services, ann, `to @${bea.name}`),
  "a follow": () => services.clients.graph.follow({ followerId: ann.id, userId: bea.id }),
  "a mark": async () => services.clients.statuses.favorite({ userId: ann.id, status: await statusOf(bea) }),
  "a repost": async () => services.clients.statuses.repost({ userId: ann.id, status: await statusOf(bea) }),
  "taking a repost back": async () => {
    const status = await statusOf(bea);
    await services.clients.statuses.repost({ userId: ann.id, status });
    asked.clear();
    await services.clients.statuses.unrepost({ userId: ann.id, status });
  },
  "deleting a status": async () => services.clients.statuses.deleteStatus(await statusOf(ann)),
  "a list of followers": () => services.clients.graph.listFollowers({ userId: bea.id }),
  "a list of friends": () => services.clients.graph.listFriends({ userId: ann.id }),
  "the public timeline": () => services.clients.people.socialPublic({}),
  "a home": () => services.clients.people.socialHome({ userId: ann.id }),
  "news of a home": async () => {
    const cursor = await homeCursor();
    await services.clients.watch.readNews({ viewerId: ann.id, cursor });
  },
  "news of a timeline": async () => {
    const { reading } = await services.clients.watch.readNews({ viewerId: bea.id, screenName: ann.name });
    asked.clear();
    await services.clients.watch.readNews({ viewerId: bea.id, screenName: ann.name, cursor: `${reading?.cursor}` });
  },
  "news of an author for many readers": async () => {
    const cursor = await homeCursor();
    await statusOf(bea);
    await services.clients.watch.readNewsOfMany({ places: [{ viewerId: ann.id, cursor }], authorIds: [bea.id] });
  },
  "news of all authors for many readers": async () => {
    const cursor = await homeCursor();
    await publish(services, ann);
    await statusOf(bea);
    await services.clients.watch.readNewsOfMany({ places: [{ viewerId: ann.id, cursor }] });
  },
  mentions: () => services.clients.people.socialMentions({ userId: bea.id }),
  answers: async () => {
    const { id } = await statusOf(ann);
    await services.clients.people.socialReplies({ screenName: ann.name, id });
  },
  favourites: () => services.clients.people.socialFavorites({ userId: ann.id }),
  "a search for users": async () => {
    await services.clients.people.updateProfile({ userId: ann.id, name: "Unusual" });
    asked.clear();
    await services.clients.people.searchUsers({ q: "unusual" });
  },
  "a search for statuses": async () => {
    await publish(services, ann, "unusual words");
    asked.clear();
    await services.clients.people.searchStatuses({ q: "unusual words" });
  },
  "a search for statuses of one author": () => services.clients.people.searchStatuses({ q: `hello from:${ann.name}` }),
  "the open reports": async () => services.clients.moderation.listReports({ afterId: (await report()) - 1n }),
  "closing a report": async () => services.clients.moderation.closeReport({ id: await report() }),
  "a timeline with hidden reposts, by a viewer": async () => {
    const viewer = await repostHidden();
    await services.clients.social.socialTimelines({ screenName: ann.name, take: 1n }, as(viewer));
  },
  "two profiles with hidden reposts, by a viewer": async () => {
    const viewer = await repostHidden();
    await services.clients.social.socialUsers({ userIds: [ann.id, bea.id] }, as(viewer));
  },
  "a block": () => services.clients.people.blockUser({ userId: ann.id, screenName: bea.name }),
};

for (const [what, run] of cluster ? Object.entries(operations) : []) {
  Asked(`match docs/scaling.md for ${what}`, async () => {
    // Once before, so that this process has cached the ids of names.
    if (/^(a timeline|tokens)/.test(what)) await run();
    asked.clear();
    await run();
    const statements = [...asked.values()].filter(({ name }) => !background.test(name));
    const cells = await Promise.all(statements.map(async (one) => `\`${one.name}\` ${await describePlan(one)}`));
    // In any order: some statements are sent at the same time.
    assert.equal(cells.toSorted(), readTable().get(what)?.split(", ").toSorted());
  });
}
if (cluster === undefined) Asked.skip("match docs/scaling.md");

/** Statements of background work. */
const background = /probe|job|prepared|reposts-due|unfinished|all-undone/;

/**
 * The largest number of shards that a step of a statement reads or writes by the coordinator's plan, 0 when there are none; and the
 * number of steps when there are several, since each step has its own snapshot.
 */
async function describePlan({ text, values }: Statement): Promise<string> {
  // As literals, since `explain` plans some statements without their parameters.
  const whole = text.replace(/\$(\d+)/g, (_, place) => literalOf(values[Number(place) - 1]));
  const rows = await services.database.query(`explain (costs off) ${whole}`);
  const plan = rows.map((row) => String(row["QUERY PLAN"]));
  const shards = Math.max(0, ...plan.map((line) => Number(/Task Count: (\d+)/.exec(line)?.[1] ?? 0)));
  const steps = 1 + plan.filter((line) => line.includes("Distributed Subplan")).length;
  return steps === 1 ? `${shards}` : `${shards} in ${steps} steps`;
}

function literalOf(value: unknown): string {
  if (value === null) return "null";
  if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => `"${one}"`).join(",")}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

async function statusOf(author: Person) {
  const status = await publish(services, author);
  asked.clear();
  return status;
}

/** The place of a reader who has seen all of ann's home. */
async function homeCursor(): Promise<string> {
  const { reading } = await services.clients.watch.readNews({ viewerId: ann.id });
  asked.clear();
  return reading?.cursor ?? "";
}

/** Gives ann and bea a repost that is hidden from the viewer whom it returns. */
async function repostHidden(): Promise<Person> {
  const [viewer, muted] = [await person(services, "viewer"), await person(services, "muted")];
  await services.clients.people.muteUser({ userId: viewer.id, screenName: muted.name });
  const status = await publish(services, muted);
  for (const { id } of [ann, bea]) await services.clients.statuses.repost({ userId: id, status });
  asked.clear();
  return viewer;
}

/** The id of a report of ann's about bea. */
async function report(): Promise<bigint> {
  await services.clients.people.reportUser({ userId: ann.id, screenName: bea.name, reason: "spam" });
  const { reports } = await services.clients.moderation.listReports({});
  asked.clear();
  return reports[0]?.id ?? 0n;
}

Asked.run();
