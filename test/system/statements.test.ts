import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Statements = suite("statements");
let system: TestSystem;
let session: string;
const people: bigint[] = [];
let asked: string[] = [];
const { query } = pg.Client.prototype;

Statements.before(async () => {
  system = await startTestSystem();
  for (let index = 0; index < 100; index++) people.push(await register(`person${index}`));
  const body = JSON.stringify({ userName: "viewer", password: "correct horse", autoLogin: true });
  const response = await fetch(`${system.url}/register`, { method: "POST", body });
  session = ((await response.json()) as { sessionId: string }).sessionId;
  for (let index = 0; index < 210; index++) {
    await system.clients.statuses.publishStatus({ authorId: people[0] ?? 0n, text: `status ${index}` });
  }
  for (const followerId of people.slice(1)) await system.clients.graph.follow({ followerId, userId: people[0] ?? 0n });
  // Both services run in this process: every statement of theirs passes here.
  pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [statement] = args as unknown as [{ name?: string } | string];
    asked.push(typeof statement === "string" ? statement : (statement.name ?? "unnamed"));
    return query.apply(this, args) as never;
  } as unknown as typeof query;
});
Statements.after(async () => {
  pg.Client.prototype.query = query;
  await system.stop();
});

async function register(userName: string): Promise<bigint> {
  const createdAt = { seconds: 1_500_000_000n };
  const userId = 3_000_000n + BigInt(people.length);
  await system.clients.profiles.createProfile({ userId, screenName: userName, name: userName, createdAt });
  return userId;
}

/** The names of the statements asked since the last look, without those of the services' own jobs, which come at any time. */
function ownStatements(): string[] {
  return asked.filter((name) => !name.startsWith("-- ") && !/graphile|account_jobs|listen|announcer/i.test(name));
}

/** The names of the statements that answer one request of the viewer, and how many results it brings. */
async function statementsOf(path: string): Promise<{ statements: string[]; results: number }> {
  asked = [];
  const response = await fetch(`${system.url}${path}`, { headers: { authorization: `Bearer ${session}` } });
  const { results } = (await response.json()) as { results: unknown[] };
  return { statements: ownStatements().toSorted(), results: results.length };
}

Statements("are as many for a viewer's lookup of 100 users as for one", async () => {
  const one = await statementsOf("/social/person0");
  const many = await statementsOf(`/social/${people.map((_, index) => `person${index}`).join(",")}`);
  assert.equal([one.results, many.results], [1, 100]);
  assert.equal(many.statements, one.statements);
  assert.ok(one.statements.includes("list-profiles"), one.statements.join());
});

Statements("are as many for a viewer's page of 200 statuses as for one", async () => {
  const one = await statementsOf("/social/person0/timelines?take=1");
  const many = await statementsOf("/social/person0/timelines?take=200");
  assert.equal([one.results, many.results], [1, 200]);
  assert.equal(many.statements, one.statements);
  assert.ok(one.statements.includes("load-timeline"), one.statements.join());
});

Statements("are as many for a page of 99 followers as for one", async () => {
  const followers = async (pageSize: number) => {
    asked = [];
    const { users } = await system.clients.graph.listFollowers({ userId: people[0] ?? 0n, pageSize });
    return { statements: ownStatements(), results: users.length };
  };
  const [one, many] = [await followers(1), await followers(200)];
  assert.equal([one.results, many.results], [1, 99]);
  assert.equal(many.statements, one.statements);
});

Statements.run();
