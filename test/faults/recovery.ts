import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "./actor.ts";
import type { WritingClient } from "./writing-client.ts";

/** Milliseconds for which a recovery is waited for. */
const timeoutMs = 60_000;

/**
 * Requests everything at once, again and again, until all of it succeeds: a registration, a publication, a timeline, a lookup,
 * `/readyz`. It does not wait for requests that hang: what counts is whether new ones are served.
 * @returns the seconds that this took; undefined after a minute without success
 */
export async function secondsUntilRecovered(client: WritingClient, prober: Actor): Promise<number | undefined> {
  const start = performance.now();
  const rounds: Promise<void>[] = [];
  let recovered: number | undefined;
  while (recovered === undefined && performance.now() - start < timeoutMs) {
    const round = probe(client, prober).then((succeeds) => {
      if (succeeds) recovered ??= (performance.now() - start) / 1_000;
    });
    rounds.push(round);
    // New ones are sent while one hangs, which may never be answered.
    await Promise.race([round, sleep(500)]);
    await sleep(100);
  }
  await Promise.all(rounds);
  return recovered;
}

let probes = 0;

async function probe(client: WritingClient, { user, screenName }: Actor): Promise<boolean> {
  const number = ++probes;
  // First, since it costs least and nothing else succeeds before it.
  const { status } = await client.get("/readyz");
  if (status !== 200) return false;
  const [timeline, lookup, published, registered] = await Promise.all([
    client.get(`/social/${screenName}/timelines?take=1`),
    client.get(`/social/${screenName}`),
    client.write({ kind: "publish", user, text: `probe ${number}` }, 0),
    client.write({ kind: "register", userName: `${screenName}-${number}` }, 0),
  ]);
  const replies = [timeline, lookup].every(({ status }) => status === 200);
  return replies && [published, registered].every(({ outcome }) => outcome === "acknowledged");
}
