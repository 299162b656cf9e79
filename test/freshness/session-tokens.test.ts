import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { password, register } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

// Tokens live for a minute, so that the missing announcement of an end shows for longer than any test takes.
const Sessions = suite("sessions whose tokens are stored");
const redis = await startTestRedisFor("announcements of the ends of sessions");
const test = redis ? Sessions : Sessions.skip;
let system: TestSystem;

Sessions.before(async () => {
  system = await startTestSystem({ REDIS_URL: redis?.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" });
});
Sessions.after(async () => {
  await system?.stop();
  await redis?.stop();
});

let count = 0;

/** Registers a user with as many sessions. */
async function open(sessions: number): Promise<{ userId: bigint; name: string; ids: string[] }> {
  const name = `opener_${++count}`;
  const userId = await register(system, name);
  const ids: string[] = [];
  while (ids.length < sessions) {
    ids.push((await system.clients.sessions.signIn({ userNameOrEmail: name, password })).sessionId);
  }
  return { userId, name, ids };
}

/** Whether a request with this session is answered as signed in. */
async function isOpen(sessionId: string, name: string): Promise<boolean> {
  const { headers, status } = await fetch(`${system.url}/social/${name}`, {
    headers: { authorization: `Bearer ${sessionId}` },
  });
  assert.ok(status < 500, `the profile's status is ${status}`);
  return headers.get("cache-control") === "private, no-cache";
}

async function storedSessions(): Promise<string[]> {
  const reply = (await redis?.send("KEYS fresh:{session:*}")) ?? "";
  return reply.split("\r\n").filter((line) => line.startsWith("fresh:"));
}

/**
 * Deletes only the stored tokens. If the logical clock was deleted as well during a reconnection, there would be another place for
 * tokens, and writes would wait for the lifetime of a token.
 */
async function dropTokens(): Promise<void> {
  for (const key of await storedSessions()) await redis?.send(`DEL ${key}`);
}

/** Reads until the tokens of all these sessions are stored. */
async function fill({ ids, name }: { ids: string[]; name: string }): Promise<void> {
  await dropTokens();
  await eventually("stored tokens", async () => {
    for (const id of ids) assert.ok(await isOpen(id, name));
    await sleep(5);
    return (await storedSessions()).length === ids.length;
  });
}

/** Whether each session counts in a request after this work. */
async function openAfter(user: { ids: string[]; name: string }, act: () => Promise<unknown>): Promise<boolean[]> {
  await fill(user);
  await act();
  return Promise.all(user.ids.map((id) => isOpen(id, user.name)));
}

test("do not count in the next request after a sign-out, also when it is repeated", async () => {
  const user = await open(2);
  const [first = ""] = user.ids;
  const signOut = () => system.clients.sessions.signOut({ sessionId: first });
  assert.equal(await openAfter(user, signOut), [false, true]);
  await signOut();
  assert.equal(await Promise.all(user.ids.map((id) => isOpen(id, user.name))), [false, true]);
});

test("do not count in the next request after a change of password, except the caller's own", async () => {
  const user = await open(3);
  const [own = ""] = user.ids;
  const request = { userId: user.userId, currentPassword: password, newPassword: "another horse", sessionId: own };
  assert.equal(await openAfter(user, () => system.clients.account.changePassword(request)), [true, false, false]);
});

test("do not count in the next request after the deletion of the account", async () => {
  const user = await open(2);
  const { userId } = user;
  assert.equal(await openAfter(user, () => system.clients.account.deleteAccount({ userId })), [false, false]);
});

test("do not count after a sign-in that presented them", async () => {
  const user = await open(1);
  const [sessionId = ""] = user.ids;
  const signIn = () => system.clients.sessions.signIn({ userNameOrEmail: user.name, password, sessionId });
  assert.equal(await openAfter(user, signIn), [false]);
});

test("are looked up in each request shortly before they expire", async () => {
  const { database } = system;
  const user = await open(1);
  await database.query("update account.session set expires_at = now() + interval '30 s'");
  await dropTokens();
  assert.ok(await isOpen(user.ids[0] ?? "", user.name));
  await database.query("update account.session set expires_at = now() - interval '1 s'");
  assert.not.ok(await isOpen(user.ids[0] ?? "", user.name));
});

Sessions.run();
