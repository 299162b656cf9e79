import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { password } from "../support/people.ts";
import { signUp } from "../support/visitors.ts";
import type { Walk } from "./begin-walk.ts";
import { type ModelPerson, newPerson, removeStatus } from "./model.ts";

/** A user signs out and in again. From then on the old session is anonymous at every gateway. */
export async function signInAgain({ system, exchange, random, people, locks }: Walk): Promise<void> {
  const person = random.pick(people);
  const release = await locks.take([person]);
  try {
    if (person.isGone) return;
    const [here, there] = system.gateways as [string, string];
    const old = person.session;
    const logout = await exchange.ask(here, { path: "/auth/logout", fields: {}, session: old });
    assert.is(logout.status, 200, logout.text);
    const late = await exchange.ask(there, { path: "/timelines/publish", fields: { text: "late" }, session: old });
    assert.is(late.status, 401, late.text);
    const fields = { provider: "credentials", userName: person.name, password };
    const signedIn = await exchange.ask(there, { path: "/auth", fields });
    assert.is(signedIn.status, 200, signedIn.text);
    person.session = (JSON.parse(signedIn.text) as { sessionId: string }).sessionId;
  } finally {
    release();
  }
}

/** The operator suspends a user, or ends a suspension. The user's sessions stay here, so that they try to write. */
export async function changeSuspension({ system, random, people, locks }: Walk): Promise<void> {
  const release = await locks.take([...people]);
  try {
    const suspended = people.filter(({ isSuspended }) => isSuspended);
    const isSuspending = suspended.length === 0 || (suspended.length < 5 && random.percent(50));
    const person = random.pick(isSuspending ? people.filter(({ isSuspended }) => !isSuspended) : suspended);
    const { suspend, reinstate } = system.clients.moderation;
    let afterUserId = 0n;
    do {
      const call = isSuspending ? suspend : reinstate;
      afterUserId = (await call({ userId: person.id, afterUserId })).nextAfterUserId;
    } while (afterUserId !== 0n);
    person.isSuspended = isSuspending;
  } finally {
    release();
  }
}

let newcomers = 0;

/** A user deletes the account, with all that they and others made of it, and another one registers. */
export async function beginAnew(walk: Walk): Promise<void> {
  const { system, exchange, random, people, locks } = walk;
  const release = await locks.take([...people]);
  try {
    const leaver = random.pick(people);
    const [here, there] = system.gateways as [string, string];
    const left = await exchange.ask(here, { path: "/profile/delete", fields: { password }, session: leaver.session });
    assert.is(left.status, 200, left.text);
    const gone = await exchange.ask(there, { path: `/social/${leaver.name}/timelines` });
    assert.is(gone.status, 404, gone.text);
    const late = await exchange.ask(there, { path: "/profile", fields: { name: "late" }, session: leaver.session });
    assert.is(late.status, 401, late.text);
    await eventually("everything that the user left is deleted", () => system.hasLeft(leaver.id));
    forget(people, leaver);
    const comer = newPerson(await signUp(system, `newcomer${++newcomers}`));
    people.splice(people.indexOf(leaver), 1, comer);
  } finally {
    release();
  }
}

function forget(people: readonly ModelPerson[], leaver: ModelPerson): void {
  leaver.isGone = true;
  for (const status of leaver.statuses) removeStatus(status);
  for (const person of people) {
    person.follows.delete(leaver);
    person.asked.delete(leaver);
    person.blocks.delete(leaver);
    person.mutes.delete(leaver);
    for (const { favouredBy } of person.statuses) favouredBy.delete(leaver);
  }
}
