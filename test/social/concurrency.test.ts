import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createStatuses } from "../support/by-id.ts";
import { times } from "../support/long.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { churn } from "./churn/churn.ts";
import { callWithRetries, connect, createPeople, type People, publishStatuses } from "./churn/writers.ts";
import { listDrift } from "./drift.ts";

const Concurrency = suite("concurrency");
const services = useServices(Concurrency);
const [statuses, pollers] = [times(64, 192), times(8, 32)];

for (const authors of [1, 6]) {
  Concurrency(`shows pollers every status exactly once while 32 clients write for ${authors}`, async () => {
    const { published, faults } = await pollWhilePublishing(services.socialUrl, { authors, statuses, pollers });
    assert.is(published, statuses);
    assert.equal(faults, []);
  });
}

Concurrency("leaves all counters right without deadlocks when processes write at random", async () => {
  const size = { actions: times(120, 900), processes: times(2, 3), people: 12, seed: 7 };
  const { done, refusals, drifts } = await churn(services.socialUrl, size);
  assert.is(done, size.actions);
  assert.equal(drifts, []);
  const wrong = Object.keys(refusals).filter((code) => !["Ok", "NotFound", "PermissionDenied"].includes(code));
  assert.equal(wrong, []);
  assert.ok((refusals.Ok ?? 0) > size.actions / 2, JSON.stringify(refusals));
  assert.equal(await listDrift(services.database), []);
});

Concurrency.run();

/** The result of a run. A fault is a status that a poller missed, saw twice, or saw though it was not published. */
interface PollResult {
  published: number;
  polls: number;
  seconds: number;
  faults: string[];
}

/**
 * Publishes statuses for some authors from 32 writers. Meanwhile pollers, 32 by default, follow all authors with sinceId, until a
 * poll that began after the last publication.
 */
async function pollWhilePublishing(
  socialUrl: string,
  { authors, statuses, pollers = 32 }: { authors: number; statuses: number; pollers?: number },
): Promise<PollResult> {
  const transport = connect(socialUrl);
  try {
    const social = createClient(SocialService, transport.transport);
    const people = await createPeople(transport.transport, authors);
    const start = performance.now();
    const state = { writing: true, polls: 0 };
    const polling = Promise.all(Array.from({ length: pollers }, () => poll(social, people, state)));
    // Awaited below; until then a failure must not end the process.
    polling.catch(() => {});
    const published = await publishStatuses(createStatuses(transport.transport), people, statuses).finally(() => {
      state.writing = false;
    });
    const seen = await polling;
    const faults = seen.flatMap((ids, index) => compare(`poller ${index}`, ids, published));
    return { published: published.length, polls: state.polls, seconds: (performance.now() - start) / 1_000, faults };
  } finally {
    transport.close();
  }
}

async function poll(client: Client<typeof SocialService>, people: People, state: { writing: boolean; polls: number }) {
  const newest = new Map<bigint, bigint>();
  const seen: string[] = [];
  for (let last = false; !last; ) {
    last = !state.writing;
    // A client pauses between two polls; without a pause 32 of them measure only themselves.
    await sleep(20);
    for (const { id, name } of people) {
      const sinceId = newest.get(id) ?? 0n;
      const fresh = await statusesSince(client, name, sinceId, state);
      newest.set(id, fresh[0] ?? sinceId);
      seen.push(...fresh.map((status) => `${id}:${status}`));
    }
  }
  return seen;
}

/** Every status above sinceId, newest first. After a full page the older statuses are read as well. */
async function statusesSince(
  client: Client<typeof SocialService>,
  screenName: string,
  sinceId: bigint,
  state: { polls: number },
) {
  const ids: bigint[] = [];
  for (let maxId: bigint | undefined; ; ) {
    const { results } = await callWithRetries(() => client.socialTimelines({ screenName, sinceId, maxId, take: 200n }));
    state.polls++;
    ids.push(...results.map(({ id }) => id));
    if (results.length < 200) return ids;
    maxId = (ids.at(-1) ?? 1n) - 1n;
  }
}

function compare(who: string, seen: readonly string[], published: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const id of seen) times.set(id, (times.get(id) ?? 0) + 1);
  const known = new Set(published);
  return [
    ...published.filter((id) => !times.has(id)).map((id) => `${who} missed ${id}`),
    ...[...times].filter(([, count]) => count > 1).map(([id, count]) => `${who} saw ${id} ${count} times`),
    ...[...times.keys()].filter((id) => !known.has(id)).map((id) => `${who} saw ${id}, which was not published`),
  ];
}
