import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import * as assert from "uvu/assert";
import { createClusterDatabase } from "../support/citus.ts";
import { as, type Person, person, publish } from "../support/people.ts";
import { startTestServices } from "../support/services.ts";
import { uses } from "../support/suite.ts";
import { suiteOnCluster } from "./suite-on-cluster.ts";

const [Asked, cluster] = await suiteOnCluster("what an operation asks");
const services = uses(Asked, async () => {
  const database = await createClusterDatabase(cluster);
  // Citus itself says what it sends: a function's statements, transactions, and by plans for all values.
  const name = new URL(database.social).pathname.slice(1);
  await database.query(`alter role social in database ${name} set citus.log_remote_commands = on`);
  return startTestServices({}, database);
});
/** Two users of one server, on different shards. */
let ann: Person;
let bea: Person;
/** The server of their rows, such as 127.0.0.1:5433. */
let own: unknown;
/** The named statements that the services in this process have sent, each with the values of one call. */
const asked = new Map<string, Statement>();
/** What Citus has sent to servers: "statement to server". */
let sent: string[] = [];
/** The connections whose transaction has asked all servers: so does its commit. */
const askedAll = new Set<pg.Client>();
const { query, emit } = pg.Client.prototype;

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

interface Notice {
  message?: string;
  detail?: string;
}

Asked.before(async () => {
  pg.Client.prototype.query = function (this: pg.Client, statement: Partial<Statement>, ...rest: unknown[]) {
    if (statement.name !== undefined) asked.set(statement.name, statement as Statement);
    return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest);
  } as typeof query;
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...args: unknown[]) {
    const [notice] = args as [Notice];
    if (event !== "notice" || !notice.message?.startsWith("issuing ")) return emit.call(this, event, ...args);
    note(this, notice);
    return true;
  };
  [ann, bea] = await usersOfOneServer();
  await publish(services, ann);
});
Asked.after(() => {
  Object.assign(pg.Client.prototype, { query, emit });
});

async function usersOfOneServer(): Promise<[Person, Person]> {
  const found: { user: Person; shard: unknown; server: unknown }[] = [];
  for (;;) {
    const user = await person(services, "person");
    const [place = {}] = await services.database.query(
      `select shardid as shard, nodename || ':' || nodeport as server from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('social.profile', $1::bigint)`,
      [user.id.toString()],
    );
    own = place.server;
    const other = found.find(({ shard, server }) => server === own && shard !== place.shard);
    if (other !== undefined) return [other.user, user];
    found.push({ user, shard: place.shard, server: place.server });
  }
}

function note(client: pg.Client, { detail = "" }: Notice): void {
  const [, server] = /^on server \S+@(\S+)/.exec(detail) ?? [];
  const { _activeQuery: running } = client as unknown as { _activeQuery?: { name?: string; text?: string } };
  const statement = running?.name ?? running?.text ?? "";
  if (background.test(statement)) return;
  if (asksAll.test(statement)) askedAll.add(client);
  else if (statement !== "commit" || !askedAll.has(client)) sent.push(`${statement} to ${server}`);
}

/** Statements of background work. */
const background = /probe|job|prepared|reposts-due|unfinished|all-undone/;

/** A statement that looks for rows of any user, which can be on any server (docs/scaling.md). */
const asksAll = /^list-leftovers$/;

/** The rows of the table in docs/scaling.md: the operation, and "`statement` shards" for each of its statements. */
function readTable(): Map<string, string> {
  const text = readFileSync(join(import.meta.dirname, "../../docs/scaling.md"), "utf8");
  const [, table = ""] = /\| Asked for \|.*\n\|.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  return new Map(
    [...table.matchAll(/^\| *(.*?) *\| *(.*?) *\|$/gm)].map(([, what = "", statements = ""]) => [what, statements]),
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

for (const [what, run] of Object.entries(operations)) {
  Asked(`matches docs/scaling.md for ${what}`, async () => {
    // Once before, so that this process has cached the ids of names.
    if (what.startsWith("a timeline")) await run();
    asked.clear();
    await run();
    const statements = [...asked.values()].filter(({ name }) => !background.test(name));
    const cells = await Promise.all(statements.map(async (one) => `\`${one.name}\` ${await describePlan(one)}`));
    // In any order: some statements are sent at the same time.
    assert.equal(cells.toSorted(), readTable().get(what)?.split(", ").toSorted());
  });
}

/** Operations that ask only the server of their users, and may be repeated. The first one ends a block. */
const ownOperations: Record<string, () => Promise<unknown>> = {
  "a block and its end": async () => {
    await services.clients.people.blockUser({ userId: ann.id, screenName: bea.name });
    await services.clients.people.blockUser({ userId: ann.id, screenName: bea.name, blocked: false });
  },
  "a mute and its end": async () => {
    await services.clients.people.muteUser({ userId: ann.id, screenName: bea.name });
    await services.clients.people.muteUser({ userId: ann.id, screenName: bea.name, muted: false });
  },
  "the lists of blocked and muted users": async () => {
    await services.clients.people.socialBlocks({ userId: ann.id });
    await services.clients.people.socialMutes({ userId: ann.id });
  },
  "a follow and its end": async () => {
    await services.clients.graph.follow({ followerId: ann.id, userId: bea.id });
    await services.clients.graph.unfollow({ followerId: ann.id, userId: bea.id });
  },
  "a list of friends": async () => {
    await services.clients.graph.follow({ followerId: ann.id, userId: bea.id });
    await services.clients.graph.listFriends({ userId: ann.id });
  },
  "a mark and its end": async () => {
    const status = await publish(services, bea);
    await services.clients.statuses.favorite({ userId: ann.id, status });
    await services.clients.statuses.unfavorite({ userId: ann.id, status });
  },
  "a reply": async () => {
    const inReplyTo = await publish(services, bea);
    await services.clients.statuses.publishStatus({ authorId: ann.id, text: `@${bea.name} yes`, inReplyTo });
  },
  "a changed profile": () => services.clients.people.updateProfile({ userId: ann.id, location: `${Math.random()}` }),
};
const shared =
  /^(a timeline|a timeline, by a viewer|versions .*|two profiles|a publication.*|taking a repost back|deleting a status)$/;
const ofOneServer = [
  ...Object.entries(ownOperations),
  ...Object.entries(operations).filter(([what]) => shared.test(what)),
];

for (const [what, run] of ofOneServer) {
  Asked(`is sent to the users' own server alone for ${what}`, async () => {
    // Postgres plans a prepared statement for all values at the sixth time, and Citus once more for a function's statements.
    for (let times = 0; times < 7; times++) await run();
    sent = [];
    askedAll.clear();
    await run();
    assert.ok(sent.length > 0);
    const elsewhere = sent.filter((one) => !one.endsWith(` to ${own}`));
    assert.equal(elsewhere, []);
  });
}

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
