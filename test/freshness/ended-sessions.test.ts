import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { launch } from "../support/launch.ts";
import { password, register } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";

const Sessions = suite("sessions that have ended");
let second: Running;
Sessions.after(() => second.close());
const system = useSystem(Sessions);
Sessions.before(async () => {
  second = await launch("gateway", { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl });
});

interface Opener {
  userId: bigint;
  name: string;
  ids: string[];
}

/** Registers a user with as many sessions. */
async function open(name: string, sessions: number): Promise<Opener> {
  const userId = await register(system, name);
  const ids: string[] = [];
  while (ids.length < sessions) {
    ids.push((await system.clients.accountPeople.authenticate({ userName: name, password })).sessionId);
  }
  return { userId, name, ids };
}

/** Which of these sessions each gateway takes for signed in. */
async function openOf({ ids, name }: Opener): Promise<boolean[][]> {
  const isOpen = async (url: string, id: string) => {
    const { headers, status } = await fetch(`${url}/social/${name}`, { headers: { authorization: `Bearer ${id}` } });
    assert.is(status, 200);
    return headers.get("cache-control") === "private, no-cache";
  };
  return Promise.all([system, second].map(({ url }) => Promise.all(ids.map((id) => isOpen(url, id)))));
}

const people = () => system.clients.accountPeople;
/** What ends sessions of a user, and which of them are still open then. */
const ends: [what: string, end: (user: Opener) => Promise<unknown>, open: boolean[]][] = [
  [
    "a sign-out",
    ({ ids }) => people().authenticate({ provider: "logout", sessionId: ids[0] as string }),
    [false, true],
  ],
  [
    "a change of password, except the caller's own",
    ({ userId, ids }) =>
      people().changePassword({
        userId,
        oldPassword: password,
        newPassword: "another horse",
        sessionId: ids[0] as string,
      }),
    [true, false, false],
  ],
  ["the deletion of the account", ({ userId }) => system.clients.account.deleteAccount({ userId }), [false, false]],
  ["the operator has ended them", ({ userId }) => system.clients.operator.endSessions({ userId }), [false, false]],
  [
    "a sign-in that presented them",
    ({ name, ids }) => people().authenticate({ userName: name, password, sessionId: ids[0] as string }),
    [false],
  ],
  [
    "they have expired",
    () => system.database.query("update account.session set expires_at = now() - interval '1 s'"),
    [false],
  ],
];
for (const [index, [what, end, stillOpen]] of ends.entries()) {
  Sessions(`do not count in the next request after ${what}`, async () => {
    const user = await open(`opener_${index}`, stillOpen.length);
    // Until they are remembered.
    for (let time = 0; time < 3; time++) assert.ok((await openOf(user)).flat().every(Boolean));
    await end(user);
    assert.equal(await openOf(user), [stillOpen, stillOpen]);
  });
}

Sessions.run();
