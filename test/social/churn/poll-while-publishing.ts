import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import { SocialService } from "../../../proto/gen/social/v1/social_service_pb.ts";
import { createStatuses } from "../../support/by-id.ts";
import { callWithRetries, connect, createPeople, type People, publishStatuses } from "./writers.ts";

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
export async function pollWhilePublishing(
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
