import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { password, register } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
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

test("show no remembered page once they have ended, also where Redis reports that late", async () => {
  const proxy = await startFaultProxy(redis?.port ?? 0);
  const gateway = await launch("gateway", {
    ACCOUNT_URL: system.accountUrl,
    SOCIAL_URL: system.socialUrl,
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    FRESHNESS_MS: "60000",
    REDIS_TIMEOUT_MS: "10000",
  });
  const { ids, name } = await open(1);
  const [sessionId = ""] = ids;
  const read = async () => {
    const url = `${gateway.url}/social/${name}/timelines`;
    const reply = await fetch(url, { headers: { authorization: `Bearer ${sessionId}` } });
    await reply.text();
    return [reply.status, reply.headers.get("cache-control") === "private, no-cache"];
  };
  try {
    await fill({ ids, name });
    // Then the gateway remembers all that the page shows.
    for (let time = 0; time < 50; time++) assert.equal(await read(), [200, true]);
    proxy.delay(300);
    await system.clients.sessions.signOut({ sessionId });
    assert.equal(await read(), [200, false]);
  } finally {
    await gateway.close();
    await proxy.close();
  }
});

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

test("do not count after an answer about ends that another process has not announced yet", async () => {
  let announce = () => {};
  const announced = new Promise<void>((resolve) => (announce = resolve));
  const settings = { REDIS_URL: redis?.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000", RATE_LIMITS: "off" };
  const slow = await launch(
    "account",
    { ...settings, ACCOUNT_DATABASE_URL: system.database.account, SOCIAL_URL: system.socialUrl },
    { log: system.log, changeAnnouncer: (real) => ({ ...real, announce: () => announced }) },
  );
  const connection = createServiceTransport({ baseUrl: slow.url, deadlineMs: 60_000, caller: "test" });
  const transport = actingTransport(connection.transport);
  const unanswered: Promise<unknown>[] = [];
  try {
    const signedOut = await open(2);
    await fill(signedOut);
    const [sessionId = ""] = signedOut.ids;
    unanswered.push(createClient(SessionService, transport).signOut({ sessionId }));
    const { userId } = signedOut;
    const listed = async () => (await system.clients.sessions.listSessions({ userId })).sessions.length;
    await eventually("the sign-out is committed", async () => (await listed()) === 1);
    await system.clients.operator.endSessions({ userId });
    assert.equal(await Promise.all(signedOut.ids.map((id) => isOpen(id, signedOut.name))), [false, false]);

    const people = system.clients.accountPeople;
    const endedOf = (id: bigint) =>
      system.database.query("select from account.session where user_id = $1 and ended_at is not null", [id]);
    const asked = await open(1);
    await fill(asked);
    const [askedId = ""] = asked.ids;
    unanswered.push(createClient(SessionService, transport).signOut({ sessionId: askedId }));
    await eventually("the sign-out is committed", async () => (await endedOf(asked.userId)).length === 1);
    assert.is((await refusalOf(people.authenticate({ sessionId: askedId }))).code, "Unauthenticated");
    assert.not.ok(await isOpen(askedId, asked.name), "who is signed in");

    const seen = await open(2);
    await fill(seen);
    const [own = "", other = ""] = seen.ids;
    unanswered.push(createClient(SessionService, transport).signOut({ sessionId: other }));
    await eventually("the sign-out is committed", async () => (await endedOf(seen.userId)).length === 1);
    assert.is((await people.sessions({ userId: seen.userId, sessionId: own })).results.length, 1);
    assert.not.ok(await isOpen(other, seen.name), "the list of sessions");

    const changed = await open(2);
    await fill(changed);
    const [kept = ""] = changed.ids;
    const newPassword = "another horse";
    const change = { userId: changed.userId, oldPassword: password, newPassword, sessionId: kept };
    unanswered.push(createClient(PeopleService, transport).changePassword({ ...change, requestId: randomUUID() }));
    await eventually("the change is committed", async () => (await endedOf(changed.userId)).length > 0);
    await system.clients.sessions.signIn({ userNameOrEmail: changed.name, password: newPassword });
    assert.not.ok(await isOpen(changed.ids[1] ?? "", changed.name), "a sign-in with the new password");

    const mistaken = await open(2);
    await fill(mistaken);
    const { userId: mistakenId } = mistaken;
    const [stays = "", ends = ""] = mistaken.ids;
    const passwords = { userId: mistakenId, oldPassword: password, newPassword, sessionId: stays };
    unanswered.push(createClient(PeopleService, transport).changePassword({ ...passwords, requestId: randomUUID() }));
    await eventually("the change is committed", async () => (await endedOf(mistakenId)).length > 0);
    await refusalOf(people.changePassword({ ...passwords, requestId: randomUUID() }));
    assert.not.ok(await isOpen(ends, mistaken.name), "a refused change of the old password");

    const deleted = await open(1);
    await fill(deleted);
    const request = { userId: deleted.userId, password };
    const deletion = createClient(PeopleService, transport).deleteAccount({ ...request, requestId: randomUUID() });
    unanswered.push(deletion);
    const openSessions = "select from account.session where user_id = $1 and ended_at is null";
    const left = () => system.database.query(openSessions, [deleted.userId]);
    await eventually("the deletion is committed", async () => (await left()).length === 0);
    assert.is((await refusalOf(system.clients.accountPeople.deleteAccount(request))).code, "Unauthenticated");
    assert.not.ok(await isOpen(deleted.ids[0] ?? "", deleted.name));

    const gone = await open(1);
    await fill(gone);
    const again = { userId: gone.userId, password };
    const first = createClient(PeopleService, transport).deleteAccount({ ...again, requestId: randomUUID() });
    unanswered.push(first);
    const isComplete = async () =>
      (await system.clients.account.getDeletion({ userId: gone.userId }).catch(() => undefined))?.deletion?.complete;
    await eventually("the outbox has completed the deletion", async () => (await isComplete()) === true);
    await system.clients.account.deleteAccount({ userId: gone.userId });
    assert.not.ok(await isOpen(gone.ids[0] ?? "", gone.name), "a deletion that is complete");
  } finally {
    announce();
    await Promise.allSettled(unanswered);
    connection.close();
    await slow.close();
  }
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
