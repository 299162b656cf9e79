import pg from "pg";
import * as assert from "uvu/assert";
import { type ClusterDatabase, createClusterDatabase, shareCluster } from "../support/citus.ts";
import { as, type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Servers = suite("servers that an operation asks");
const cluster = await shareCluster();
let database: ClusterDatabase;
let services: TestServices;
/** Users whose rows are all on one worker. */
let ann: Person;
let bea: Person;
let cid: Person;
/** The worker of their rows, such as 127.0.0.1:5433. */
let own: string;
/** What Citus has sent to servers: "statement to server". */
let sent: string[] = [];
/** The connections whose transaction has asked all servers: so does its commit. */
const askedAll = new Set<pg.Client>();
const emit = pg.Client.prototype.emit;

interface Notice {
  message?: string;
  detail?: string;
}

Servers.before(async () => {
  if (cluster === undefined) return;
  database = await createClusterDatabase(cluster);
  // What is run is counted, by Citus itself, not what is planned: a function's statements, transactions, and plans for all values.
  const name = new URL(database.social).pathname.slice(1);
  await database.query(`alter role social in database ${name} set citus.log_remote_commands = on`);
  pg.Client.prototype.emit = function (this: pg.Client, event: string | symbol, ...args: unknown[]) {
    const [notice] = args as [Notice];
    if (event !== "notice" || !notice.message?.startsWith("issuing ")) return emit.call(this, event, ...args);
    note(this, notice);
    return true;
  };
  services = await startTestServices({}, database);
  [ann, bea, cid] = await usersOfOneWorker();
  await publish(services, ann);
});
Servers.after(async () => {
  pg.Client.prototype.emit = emit;
  await services?.stop();
  cluster?.stop();
});

/** Three users of one worker; makes more users until there are. */
async function usersOfOneWorker(): Promise<[Person, Person, Person]> {
  const byWorker = new Map<string, Person[]>();
  for (;;) {
    const one = await person(services, "person");
    const worker = await workerOf(one);
    const others = [...(byWorker.get(worker) ?? []), one];
    byWorker.set(worker, others);
    own = worker;
    if (others.length === 3) return others as [Person, Person, Person];
  }
}

async function workerOf({ id }: Person): Promise<string> {
  const [row] = await database.query(
    `select nodename || ':' || nodeport as server from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('social.profile', $1::bigint)`,
    [id.toString()],
  );
  return `${row?.server}`;
}

function note(client: pg.Client, { detail = "" }: Notice): void {
  const [, server] = /^on server \S+@(\S+)/.exec(detail) ?? [];
  const statement = nameOfRunning(client);
  if (background.test(statement)) return;
  if (asksAll.test(statement)) askedAll.add(client);
  else if (statement !== "commit" || !askedAll.has(client)) sent.push(`${statement} to ${server}`);
}

function nameOfRunning(client: pg.Client): string {
  const { _activeQuery: running } = client as unknown as { _activeQuery?: { name?: string; text?: string } };
  return running?.name ?? running?.text ?? "";
}

/** Statements of background work. */
const background = /probe|prepared|reposts-due|unfinished|all-undone/;

/** A statement that looks for rows of any user, which can be on any worker (docs/scaling.md). */
const asksAll = /^list-leftovers$/;

const operations: Record<string, () => Promise<unknown>> = {
  "a timeline": () => services.clients.social.socialTimelines({ screenName: ann.name }),
  "a timeline, by a viewer": () => services.clients.social.socialTimelines({ screenName: ann.name }, as(bea)),
  "the versions of an author": () => services.clients.versions.listVersions({ screenNames: [ann.name] }),
  "the profiles of two users": () => services.clients.social.socialUsers({ userIds: [ann.id, bea.id] }),
  "a publication": () => publish(services, ann),
  "a publication that mentions a user": () => publish(services, ann, `to @${bea.name}`),
  "a reply": async () => {
    const inReplyTo = await publish(services, bea);
    await services.clients.statuses.publishStatus({ authorId: ann.id, text: `@${bea.name} yes`, inReplyTo });
  },
  "a follow and its end": async () => {
    await services.clients.graph.follow({ followerId: ann.id, userId: bea.id });
    await services.clients.graph.unfollow({ followerId: ann.id, userId: bea.id });
  },
  "a list of friends": async () => {
    await services.clients.graph.follow({ followerId: ann.id, userId: cid.id });
    await services.clients.graph.listFriends({ userId: ann.id });
  },
  "a mark and its end": async () => {
    const status = await publish(services, bea);
    await services.clients.statuses.favorite({ userId: ann.id, status });
    await services.clients.statuses.unfavorite({ userId: ann.id, status });
  },
  "a repost that is taken back": async () => {
    const status = await publish(services, bea);
    await services.clients.statuses.repost({ userId: ann.id, status });
    await services.clients.statuses.unrepost({ userId: ann.id, status });
  },
  "a deleted status": async () => services.clients.statuses.deleteStatus(await publish(services, ann)),
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
  "a changed profile": () => services.clients.people.updateProfile({ userId: ann.id, location: `${Math.random()}` }),
};

for (const [what, run] of cluster ? Object.entries(operations) : []) {
  Servers(`are the users' own for ${what}`, async () => {
    // Postgres plans a prepared statement for all values at the sixth time, and Citus once more for a function's statements.
    for (let times = 0; times < 7; times++) await run();
    sent = [];
    askedAll.clear();
    await run();
    assert.ok(sent.length > 0);
    const wrong = sent.filter((one) => !one.endsWith(` to ${own}`));
    assert.equal(wrong, []);
  });
}
if (cluster === undefined) Servers.skip("are the users' own");

Servers.run();
