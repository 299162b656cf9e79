import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../../support/pick.ts";
import type { Cluster } from "../cluster.ts";
import type { Disturbance } from "../disturbances.ts";
import { createPeople, type HomePerson, type People, type Published, send } from "./people.ts";

export interface HomesPlan {
  /** The least number of reads: whole homes, by pages of a random size, and polls by `newer`. */
  reads: number;
  people: number;
  /** Readers at the same time, each of one home. */
  readers: number;
  disturbances: readonly Disturbance[];
  /** Whether the run ends with the first fault, which is enough to detect a planted one. */
  endsWhenWrong: boolean;
}

/** What was wrong, in words, and how much was done. */
export interface HomesVerdict {
  /** Shown although it was deleted, unfollowed or muted before. */
  stale: string[];
  /** Not shown although it was published and followed before. */
  missing: string[];
  double: string[];
  failed: string[];
  reads: number;
  acts: number;
}

/** Reads homes while everybody publishes, deletes, follows, unfollows, mutes and blocks, and compares each read with what was answered. */
export async function checkHomes(
  cluster: Cluster,
  plan: HomesPlan,
  say: (line: string) => void,
): Promise<HomesVerdict> {
  const verdict: HomesVerdict = { stale: [], missing: [], double: [], failed: [], reads: 0, acts: 0 };
  const isWrong = () => verdict.stale.length + verdict.missing.length + verdict.double.length > 0;
  const people = await createPeople(cluster, plan.people);
  const pollers = await Promise.all(people.all.map((person) => startPoller(cluster, people, person, verdict)));
  const shares = plan.disturbances.reduce((sum, { share }) => sum + share, 0);
  for (const disturbance of plan.disturbances) {
    const over = new AbortController();
    const disturbed = disturbance.disturb(cluster, over.signal);
    disturbed.catch(() => {});
    const end = verdict.reads + Math.ceil((plan.reads * disturbance.share) / shares);
    const isOver = () => verdict.reads >= end || (plan.endsWhenWrong && isWrong());
    const repeat = async (step: () => Promise<void>) => {
      while (!isOver()) await step().catch((error: unknown) => void verdict.failed.push(String(error)));
    };
    await Promise.all([
      ...people.all.map((person) =>
        repeat(async () => {
          await people.act(person);
          verdict.acts += 1;
          await sleep(Math.random() * 20);
        }),
      ),
      ...pollers.map((poller) => repeat(poller.poll)),
      ...Array.from({ length: plan.readers }, () => repeat(() => readHome(cluster, people, pick(people.all), verdict))),
    ]);
    over.abort();
    await disturbed;
    say(`${disturbance.name}: ${describeHomes(verdict)}`);
    if (plan.endsWhenWrong && isWrong()) return verdict;
  }
  for (const poller of pollers) await poller.check();
  return verdict;
}

export function describeHomes({ stale, missing, double, failed, reads, acts }: HomesVerdict): string {
  return `${reads} reads, ${acts} acts, ${stale.length} stale, ${missing.length} missing, ${double.length} double, ${failed.length} failed`;
}

/** The keys of one page at a random gateway, again while there is none to answer. */
async function readPage(cluster: Cluster, { session }: HomePerson, take: number, cursor: string) {
  const path = `/timelines/home?take=${take}&cursor=${cursor}`;
  for (const deadline = performance.now() + 180_000; ; ) {
    const reply = await send(pick(cluster.gateways).url, path, session).catch(() => undefined);
    if (reply?.status === 200) {
      const { results, next, newer } = reply.json as Home;
      return { keys: results.map(({ id, user }) => `${id}:${user.id}`), next, newer };
    }
    if (reply !== undefined && reply.status < 500)
      throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.json)}`);
    if (performance.now() > deadline) throw new Error("no home was answered for minutes");
    await sleep(Math.random() * 100);
  }
}

interface Home {
  results: { id: number; user: { id: string } }[];
  next: string;
  newer: string;
}

/** Reads a home by pages of one size. */
async function readHome(cluster: Cluster, people: People, reader: HomePerson, verdict: HomesVerdict): Promise<void> {
  const known = people.standing();
  const take = pick([1, 2, 5, 30, 200, 200]);
  const begin = performance.now();
  const keys: string[] = [];
  let cursor = "";
  do {
    const page = await readPage(cluster, reader, take, cursor);
    keys.push(...page.keys);
    cursor = page.next;
  } while (cursor !== "");
  judge(people, reader, { begin, end: performance.now(), keys, expected: known }, verdict);
  if (keys.some((key, index) => index > 0 && !isAfter(keys[index - 1] as string, key))) {
    verdict.double.push(`take ${take}: not in order: ${keys.join(" ")}`);
  }
  verdict.reads += 1;
}

/** What a reader was given in a time, and what may have been expected. */
interface Given {
  begin: number;
  end: number;
  keys: readonly string[];
  expected: readonly Published[];
}

function judge(people: People, reader: HomePerson, { begin, end, keys, expected }: Given, verdict: HomesVerdict): void {
  for (const key of keys) {
    const status = people.published.get(key);
    // What is being published right now is not known yet.
    const isGone = status === undefined ? people.gone.has(key) : people.isShown(reader, status, begin, end) === false;
    if (isGone) verdict.stale.push(`${reader.name} ${key}`);
  }
  const given = new Set(keys);
  for (const status of expected) {
    if (!given.has(status.key) && people.isShown(reader, status, begin, end)) {
      verdict.missing.push(`${reader.name} ${status.key}`);
    }
  }
  if (given.size < keys.length) verdict.double.push(`${reader.name}: ${keys.join(" ")}`);
}

/** Whether the second key comes after the first one in a timeline. */
function isAfter(first: string, second: string): boolean {
  const [[id, author], [nextId, nextAuthor]] = [first, second].map((key) => key.split(":").map(BigInt)) as [Key, Key];
  return nextId < id || (nextId === id && nextAuthor < author);
}

type Key = [id: bigint, author: bigint];

async function startPoller(cluster: Cluster, people: People, reader: HomePerson, verdict: HomesVerdict) {
  const given = new Set<string>();
  let started = performance.now();
  let { newer: cursor } = await readPage(cluster, reader, 1, "");
  let polls = 0;

  /** Returns whether there may be more. */
  async function pollOnce(): Promise<boolean> {
    const begin = performance.now();
    const take = pick([1, 3, 50]);
    const { keys, newer } = await readPage(cluster, reader, take, cursor);
    cursor = newer;
    judge(people, reader, { begin, end: performance.now(), keys, expected: [] }, verdict);
    for (const key of keys) {
      if (given.has(key)) verdict.double.push(`${reader.name} by newer: ${key}`);
      given.add(key);
    }
    verdict.reads += 1;
    return keys.length === take;
  }

  /** What was published since the last check, and could be seen all the time, must be given by now. */
  async function check(): Promise<void> {
    const standing = people.standing();
    const asked = performance.now();
    while (await pollOnce());
    const end = performance.now();
    for (const status of standing) {
      if (status.begunAt < started || given.has(status.key) || status.stands.during(asked, end) !== true) continue;
      if (people.isShown(reader, { ...status, stands: always }, started, end)) {
        verdict.missing.push(`${reader.name} by newer: ${status.key}`);
      }
    }
    started = asked;
  }

  return {
    check,
    async poll() {
      await (++polls % pollsToCheck === 0 ? check() : pollOnce());
      await sleep(Math.random() * 50);
    },
  };
}

const pollsToCheck = 50;

const always = { during: () => true } as unknown as Published["stands"];
