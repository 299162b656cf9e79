import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { times } from "../support/long.ts";
import { isDeleted, password } from "../support/people.ts";
import { signUp } from "../support/visitors.ts";
import { type Action, pickAction, type Step } from "./actions.ts";
import type { Walk } from "./begin-walk.ts";
import type { Reply } from "./exchange.ts";
import { addStatus, type ModelPerson, newPerson, removeStatus } from "./model.ts";
import { checks, type Read } from "./readers.ts";

/** The operator suspends a user, or ends a suspension. The user's sessions stay here, so that they try to write. */
async function changeSuspension({ system, random, people, locks }: Walk): Promise<void> {
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
async function beginAnew(walk: Walk): Promise<void> {
  const { system, exchange, random, people, locks } = walk;
  const release = await locks.take([...people]);
  try {
    const leaver = random.pick(people);
    const [here, there] = system.gateways;
    const left = await exchange.ask(here, { path: "/profile/delete", fields: { password }, session: leaver.session });
    assert.is(left.status, 200, left.text);
    const gone = await exchange.ask(there, { path: `/social/${leaver.name}/timelines` });
    assert.is(gone.status, 404, gone.text);
    const late = await exchange.ask(there, { path: "/profile", fields: { name: "late" }, session: leaver.session });
    assert.is(late.status, 401, late.text);
    await eventually("everything that the user left is deleted", () => isDeleted(system, leaver.id));
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

/**
 * Runs actions, several at a time, and reads after each action what it concerns, as another user and anonymously.
 * @throws Error naming the action, at the first difference from the model
 */
export async function walk(walk: Walk, count: number): Promise<void> {
  let left = count;
  let failure: unknown;
  const worker = async () => {
    while (left-- > 0 && failure === undefined) {
      try {
        await act(walk, count - left);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  if (failure !== undefined) throw failure;
}

async function act(walk: Walk, number: number): Promise<void> {
  const { random, people, locks } = walk;
  const change = changeAt(number);
  if (change !== undefined) return change(walk).catch((error) => rethrow(error, `action ${number}, ${change.name}`));
  const action = pickAction(random, people);
  if (action === undefined) return;
  const others = people.filter((person) => !action.involved.includes(person));
  if (others.length === 0) return;
  const reader = random.pick(others);
  const release = await locks.take([...new Set([...action.involved, reader])]);
  try {
    // One of them may have left while this action waited.
    if ([reader, ...action.involved].some(({ isGone }) => isGone)) return;
    const step = action.step();
    if (step !== undefined) await doAndCheck(walk, action, step, reader);
  } catch (error) {
    rethrow(error, `action ${number}, ${action.actor.name}: ${action.name}, read by ${reader.name}`);
  } finally {
    release();
  }
}

/** Now and then a user leaves and another registers, or one is suspended. */
function changeAt(number: number): ((walk: Walk) => Promise<void>) | undefined {
  if (number % times(50, 500) === 0) return beginAnew;
  return number % times(20, 80) === 0 ? changeSuspension : undefined;
}

function rethrow(error: unknown, what: string): never {
  const { message = error, details = "" } = error as { message?: string; details?: string };
  throw new Error(`${what}: ${message}\n${details}`, { cause: error });
}

async function doAndCheck(walk: Walk, action: Action, step: Step, reader: ModelPerson): Promise<void> {
  const { system, exchange, random } = walk;
  const { actor } = action;
  const [one, other] = system.gateways;
  const [here, there] = random.percent(50) ? [one, other] : [other, one];
  const reply = await exchange.ask(here, { path: step.path, fields: step.fields, session: actor.session });
  // Suspension is checked after the rules of fields and before everything else (contract §11.1).
  const expected = actor.isSuspended && step.status !== 400 ? 403 : step.status;
  assert.is(reply.status, expected, `${step.path} ${JSON.stringify(step.fields)}: ${reply.text.slice(0, 300)}`);
  const name = `${action.name} ${reply.status}`;
  walk.done.set(name, (walk.done.get(name) ?? 0) + 1);
  const read: Read = (path, reader) => exchange.ask(there, { path, session: reader?.session });
  if (reply.status === 200) await applyStep(actor, step, reply, read);
  // A refused action has changed nothing; that is checked now and then.
  if (reply.status !== 200 && random.percent(75)) return;
  const subject = random.pick(action.involved);
  const check = random.pick(checks);
  for (const one of [reader, undefined]) await check(read, one, subject, walk.people);
}

async function applyStep(actor: ModelPerson, step: Step, reply: Reply, read: Read): Promise<void> {
  const { adds } = step;
  step.apply?.(reply.results);
  const [shown = {}] = reply.results;
  for (const [name, value] of Object.entries(step.shows?.() ?? {}))
    assert.is(shown[name], value, `the answer's ${name}`);
  if (adds === undefined) return;
  const [newest] = (await read(`/social/${actor.name}/timelines?take=1`, actor)).results;
  assert.is(newest?.text, adds.text, "the newest status of who reposted");
  addStatus(actor, Number(newest?.id), adds.text, { original: adds.original });
}
