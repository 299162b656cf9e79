import * as assert from "uvu/assert";
import { launch } from "../support/launch.ts";
import { password, register } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Sessions = suite("sessions that have ended");
let system: TestSystem;
let gateways: { url: string }[];
let second: Awaited<ReturnType<typeof launch>>;

Sessions.before(async () => {
  system = await startTestSystem();
  second = await launch("gateway", { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl });
  gateways = [system, second];
});
Sessions.after(async () => {
  await second?.close();
  await system?.stop();
});

let count = 0;

/** Registers a user with as many sessions. */
async function open(sessions: number): Promise<{ userId: bigint; name: string; ids: string[] }> {
  const name = `opener_${++count}`;
  const userId = await register(system, name);
  const ids: string[] = [];
  while (ids.length < sessions) {
    ids.push((await system.clients.accountPeople.authenticate({ userName: name, password })).sessionId);
  }
  return { userId, name, ids };
}

/** Which of these sessions each gateway takes for signed in. */
async function openOf({ ids, name }: { ids: string[]; name: string }): Promise<boolean[][]> {
  const isOpen = async (url: string, id: string) => {
    const { headers, status } = await fetch(`${url}/social/${name}`, { headers: { authorization: `Bearer ${id}` } });
    assert.is(status, 200);
    return headers.get("cache-control") === "private, no-cache";
  };
  return Promise.all(gateways.map(({ url }) => Promise.all(ids.map((id) => isOpen(url, id)))));
}

/** Uses the sessions until they are remembered, then says which of them count in the next request. */
async function openAfter(user: { ids: string[]; name: string }, act: () => Promise<unknown>): Promise<boolean[]> {
  for (let time = 0; time < 3; time++) assert.ok((await openOf(user)).flat().every(Boolean));
  await act();
  const [first, other] = await openOf(user);
  assert.equal(other, first, "at the other gateway");
  return first as boolean[];
}

Sessions("do not count in the next request after a sign-out", async () => {
  const user = await open(2);
  const [first = ""] = user.ids;
  assert.equal(
    await openAfter(user, () => system.clients.accountPeople.authenticate({ provider: "logout", sessionId: first })),
    [false, true],
  );
});

Sessions("do not count in the next request after a change of password, except the caller's own", async () => {
  const user = await open(3);
  const [own = ""] = user.ids;
  const request = { userId: user.userId, oldPassword: password, newPassword: "another horse", sessionId: own };
  assert.equal(await openAfter(user, () => system.clients.accountPeople.changePassword(request)), [true, false, false]);
});

Sessions("do not count in the next request after the deletion of the account", async () => {
  const user = await open(2);
  const { userId } = user;
  assert.equal(await openAfter(user, () => system.clients.account.deleteAccount({ userId })), [false, false]);
});

Sessions("do not count in the next request after the operator has ended them", async () => {
  const user = await open(2);
  const { userId } = user;
  assert.equal(await openAfter(user, () => system.clients.operator.endSessions({ userId })), [false, false]);
});

Sessions("do not count after a sign-in that presented them", async () => {
  const user = await open(1);
  const [sessionId = ""] = user.ids;
  const signIn = () => system.clients.accountPeople.authenticate({ userName: user.name, password, sessionId });
  assert.equal(await openAfter(user, signIn), [false]);
});

Sessions("do not count once they have expired", async () => {
  const user = await open(1);
  const expire = () => system.database.query("update account.session set expires_at = now() - interval '1 s'");
  assert.equal(await openAfter(user, expire), [false]);
});

Sessions.run();
