import * as assert from "uvu/assert";
import type { Reply } from "./exchange.ts";
import { counted, isRestricted, type ModelPerson, type ModelStatus, mayRead, readStatus, shownTo } from "./model.ts";

/** Reads a path for a person, or anonymously. */
export type Read = (path: string, reader: ModelPerson | undefined) => Promise<Reply>;

/** What is read after each action, by another user and anonymously; each check compares it with the model. */
export const checks = [checkTimeline, checkProfile, checkStatus, checkRelations, checkOwnLists];

type Check = (
  read: Read,
  reader: ModelPerson | undefined,
  person: ModelPerson,
  people: readonly ModelPerson[],
) => Promise<void>;

async function checkTimeline(...[read, reader, person]: Parameters<Check>): Promise<void> {
  const { status, results } = await read(`/social/${person.name}/timelines?take=20`, reader);
  assert.is(status, readStatus(reader, person), "the timeline's status");
  if (status !== 200) return;
  const expected = shownTo(reader, person).slice(-20).toReversed();
  assert.equal(
    results.map(seen),
    expected.map((one) => shownOf(one, reader)),
    "the timeline",
  );
}

/** A status as a reader should see it, by the model. */
function shownOf(status: ModelStatus, reader: ModelPerson | undefined): Record<string, unknown> {
  const { id, text, original, reposts } = status;
  const { favouredBy } = counted(status);
  return {
    id,
    text,
    favorited: reader !== undefined && favouredBy.has(reader),
    retweeted: reader !== undefined && counted(status).reposts.has(reader),
    retweet_count: original ? "0" : `${reposts.size}`,
  };
}

function seen({ id, text, favorited, retweeted, retweet_count }: Record<string, unknown>) {
  return { id, text, favorited, retweeted, retweet_count };
}

async function checkProfile(...[read, reader, person, people]: Parameters<Check>): Promise<void> {
  const [shown] = (await read(`/social/${person.name}`, reader)).results;
  if (person.isSuspended) return assert.is(shown, undefined, "the profile of a suspended user");
  const newest = shownTo(reader, person).at(-1);
  const known = {
    protected: person.isProtected,
    description: person.description,
    statuses_count: person.statuses.length,
    followers_count: people.filter(({ follows }) => follows.has(person)).length,
    friends_count: person.follows.size,
    following: reader?.follows.has(person),
    follow_request_sent: reader?.asked.has(person),
  };
  const { status, ...fields } = (shown ?? {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(known)) assert.is(fields[name], value, `the profile's ${name}`);
  const shownId = (status as { id?: number } | undefined)?.id;
  assert.is(shownId, mayRead(reader, person) ? newest?.id : undefined, "the profile's status");
}

async function checkStatus(...[read, reader, person]: Parameters<Check>): Promise<void> {
  const newest = person.statuses.at(-1);
  if (newest === undefined) return;
  const { status, results } = await read(`/social/${person.name}/timelines/${newest.id}`, reader);
  assert.is(status, singleStatus(reader, newest), "the status's status");
  if (status === 200) assert.equal(seen(results[0] ?? {}), shownOf(newest, reader), "the status");
}

/**
 * The HTTP status of a request for one status. A repost of a suspended author is not found, one of an author who has blocked the
 * reader is forbidden, and one of a protected author is for readers of that author.
 */
export function singleStatus(reader: ModelPerson | undefined, { author, original }: ModelStatus): number {
  if (original?.author.isSuspended) return 404;
  const status = readStatus(reader, author);
  if (status !== 200 || original === undefined) return status;
  if (reader !== undefined && reader !== author && original.author.blocks.has(reader)) return 403;
  return isRestricted(reader, original.author) ? readStatus(reader, original.author) : 200;
}

async function checkRelations(...[read, reader, person, people]: Parameters<Check>): Promise<void> {
  for (const list of ["followers", "friends"]) {
    const { status, results, next } = await read(`/social/${person.name}/${list}?take=200`, reader);
    assert.is(status, readStatus(reader, person), `the status of ${list}`);
    if (status !== 200) continue;
    const others = list === "friends" ? [...person.follows] : people.filter(({ follows }) => follows.has(person));
    assert.equal(results.map(nameOf).toSorted(), namesOf(others), list);
    assert.is(next, "");
  }
}

/** Lists that only the user may read. */
async function checkOwnLists(...[read, , person, people]: Parameters<Check>): Promise<void> {
  const lists = {
    "/social/requests/followers": people.filter(({ asked }) => asked.has(person)),
    "/profile/blocks": [...person.blocks],
    "/profile/mutes": [...person.mutes],
  };
  for (const [path, others] of Object.entries(lists)) {
    const { status, text, results } = await read(`${path}?take=200`, person);
    assert.is(status, 200, `${path}: ${text.slice(0, 300)}`);
    assert.equal(results.map(nameOf).toSorted(), namesOf(others), path);
  }
}

const nameOf = ({ screen_name: name }: Record<string, unknown>) => String(name);

/** Suspended users are in no list. */
function namesOf(people: readonly ModelPerson[]): string[] {
  return people
    .filter(({ isSuspended }) => !isSuspended)
    .map(({ name }) => name)
    .toSorted();
}
