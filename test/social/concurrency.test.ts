import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import { createRandom } from "../people/random.ts";
import { times } from "../support/long.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { type Person, person, publish, timelineOf } from "../support/people.ts";
import { refusalLine, untilAccepted, untilFinished } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { listDrift, listRecounted } from "./drift.ts";

const Concurrency = suite("concurrency");
const services = useServices(Concurrency);

const newPeople = (count: number) => Promise.all(Array.from({ length: count }, () => person(services, "busy")));

/** Does a piece of work `count` times, by so many clients side by side. */
async function sideBySide(clients: number, count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
}

for (const authors of [1, 6]) {
  Concurrency(`shows pollers every status exactly once while 32 clients write for ${authors}`, async () => {
    const people = await newPeople(authors);
    const published: string[] = [];
    let isWriting = true;
    const polling = Promise.all(Array.from({ length: times(8, 32) }, () => poll(people, () => isWriting)));
    // Awaited below; until then a failure must not end the process.
    polling.catch(() => {});
    await sideBySide(32, times(64, 192), async (number) => {
      const { id: authorId } = people[number % people.length] as Person;
      const request = { authorId, text: "new", requestId: randomUUID() };
      const { status } = await untilAccepted(() => services.clients.statuses.publishStatus(request));
      published.push(`${authorId}:${status?.id}`);
    }).finally(() => (isWriting = false));
    for (const seen of await polling) assert.equal(seen.toSorted(), published.toSorted());
  });
}

/** Follows all authors with sinceId, until a poll that began after the last publication. */
async function poll(people: readonly Person[], isWriting: () => boolean): Promise<string[]> {
  const newest = new Map<bigint, bigint>();
  const seen: string[] = [];
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting();
    // A client pauses between two polls; without a pause 32 of them measure only themselves.
    await sleep(20);
    for (const { id, name } of people) {
      const request = { screenName: name, sinceId: newest.get(id) ?? 0n, take: 200n };
      const { results } = await services.clients.social.socialTimelines(request);
      if (results[0]) newest.set(id, results[0].id);
      seen.push(...results.map((status) => `${id}:${status.id}`));
    }
  }
  return seen;
}

Concurrency("leaves all counters right without deadlocks when users write at random", async () => {
  const act = createActions(await newPeople(8));
  const outcomes = new Map<string, number>();
  await sideBySide(12, times(400, 4_000), async () => {
    const outcome = await act().then(
      () => "Ok",
      (error: unknown) => `${Code[ConnectError.from(error).code]}`,
    );
    outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
  });
  const counts = JSON.stringify([...outcomes]);
  // A write that was abandoned after conflicts would be Aborted.
  for (const outcome of outcomes.keys()) assert.ok(["Ok", "NotFound", "PermissionDenied"].includes(outcome), counts);
  assert.ok((outcomes.get("Ok") ?? 0) > times(200, 2_000), counts);
  assert.equal([...(await listDrift(services.database)), ...(await listRecounted(services))], []);
});

/** Each call does one random action. Follows, marks and reposts are undone about as often as done, and suspensions at once. */
function createActions(people: readonly Person[]): () => Promise<unknown> {
  const { graph, statuses, moderation, people: blocks } = services.clients;
  const { pick } = createRandom(7);
  const known: { authorId: bigint; id: bigint }[] = [];
  const suspended = new Set<Person>();
  const pair = () => {
    const one = pick(people);
    return { one, other: pick(people.filter((each) => each !== one)) };
  };
  const relate = (action: "follow" | "unfollow") => {
    const { one, other } = pair();
    return graph[action]({ followerId: one.id, userId: other.id });
  };
  const block = (blocked: boolean) => {
    const { one, other } = pair();
    return blocks.blockUser({ userId: one.id, screenName: other.name, blocked });
  };
  const add = async () => {
    // Few, so that they conflict.
    if (known.push(await publish(services, pick(people))) > 40) known.shift();
  };
  const mark = (action: "favorite" | "unfavorite" | "repost" | "unrepost") => async () =>
    known.length === 0 ? add() : statuses[action]({ userId: pick(people).id, status: pick(known) });
  // Also of reposts.
  const remove = async () => {
    const author = pick(people);
    const [newest] = await timelineOf(services, author);
    if (newest === undefined) return add();
    return untilFinished(() => statuses.deleteStatus({ authorId: author.id, id: newest }));
  };
  const suspend = async () => {
    const user = pick(people);
    if (suspended.has(user)) return;
    suspended.add(user);
    await moderation.suspend({ userId: user.id });
    await moderation.reinstate({ userId: user.id });
    suspended.delete(user);
  };
  const actions: [weight: number, act: () => Promise<unknown>][] = [
    [14, () => relate("follow")],
    [12, () => relate("unfollow")],
    [18, mark("favorite")],
    [12, mark("unfavorite")],
    [14, mark("repost")],
    [8, mark("unrepost")],
    [12, add],
    [8, remove],
    [3, () => block(true)],
    [3, () => block(false)],
    [1, suspend],
  ];
  const lots = actions.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));
  return () => pick(lots)();
}

const changes = {
  "becomes protected": "update social.profile set protected = true where user_id = $1",
  "is suspended": "update social.profile set suspended = true where user_id = $1",
  "blocks the reader": `
    with noted as (
      insert into social.blocked (user_id, blocker_id) values ($2, $1)
    ), added as (
      insert into social.block (blocker_id, user_id) values ($1, $2)
    ) update social.profile set viewer_version = viewer_version + 1 where user_id in ($1, $2)`,
};

for (const [change, act, expected] of [
  ["becomes protected", "follow", "asked"],
  ["becomes protected", "repost", "PermissionDenied"],
  ["is suspended", "follow", "PermissionDenied"],
  ["is suspended", "repost", "PermissionDenied"],
  ["is suspended", "publication of the author", "PermissionDenied"],
  ["blocks the reader", "follow", "PermissionDenied"],
  ["blocks the reader", "repost", "PermissionDenied"],
  ["blocks the reader", "answer", "PermissionDenied"],
] as const) {
  Concurrency(`heeds in a ${act} that the author ${change} by another process at the same time`, async () => {
    const [author, reader] = (await newPeople(2)) as [Person, Person];
    const inReplyTo = await publish(services, author);
    const { people, statuses } = services.clients;
    const target = { userId: reader.id, screenName: author.name };
    const acting = {
      follow: () => people.followUser({ ...target, following: true }),
      repost: () => people.markStatus({ ...target, id: inReplyTo.id, retweeted: true }),
      answer: () => statuses.publishStatus({ authorId: reader.id, text: "x", inReplyTo }),
      "publication of the author": () => publish(services, author),
    };
    const values = change === "blocks the reader" ? [author.id, reader.id] : [author.id];
    await whileUncommitted(services.database.social, [[changes[change], values]], async ({ waiting, commit }) => {
      const acted = acting[act]().then(
        (reply) => ("results" in reply && (reply.results[0] as ProfileResult).followRequestSent ? "asked" : "done"),
        (error) => refusalLine(Promise.reject(error)),
      );
      await waiting(1);
      await commit();
      assert.is(await acted, expected);
    });
  });
}

Concurrency.run();
