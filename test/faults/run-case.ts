import { setTimeout as sleep } from "node:timers/promises";
import { recount } from "../../cli/verify.ts";
import { type Actor, act, createActor } from "./actor.ts";
import type { Asker } from "./ask.ts";
import { compareTables, type Findings, factsOf, type Query } from "./facts.ts";
import type { Fault, FaultCase } from "./fault-case.ts";
import type { Rig } from "./rig.ts";
import { Tally } from "./tally.ts";
import { createWritingClient, type WritingClient } from "./writing-client.ts";

export interface Outcome extends Findings {
  name: string;
  times: number;
  acknowledged: number;
  unknown: number;
  errors: ReadonlyMap<string, number>;
  /** The longest recovery, in seconds. */
  recovery: number;
  /** Whether nothing is lost, wrong or late. */
  isGood: boolean;
}

export interface CaseOptions {
  times: number;
  /** Users that write at random, each one write after the other. */
  actors: number;
  /** Seconds that a recovery may take. */
  limit: number;
}

/** Runs a case: load, fault after fault, then compares everything that was ever written to this rig. */
export async function runCase(rig: Rig, faultCase: FaultCase, options: CaseOptions): Promise<Outcome> {
  const { times, actors, limit } = options;
  const earlier = { writes: rig.ledger.entries.length, ends: rig.ended.length };
  const tally = new Tally(faultCase.alsoAllowed);
  const client = createWritingClient(rig, tally);
  const wrong: string[] = [];
  let recovery = 0;
  try {
    const mark = Math.random().toString(36).slice(2, 7);
    const create = (name: string) => createActor(client, `${name}${mark}`);
    const prober = await create("prober");
    const people = await Promise.all(Array.from({ length: actors }, (_, index) => create(`actor${index}`)));
    const over = new AbortController();
    const load = people.map((person) => {
      const others = people.filter((other) => other !== person);
      return act(client, person, others, over.signal, (text) => wrong.push(text));
    });
    load.push(registerAgain(client, `guest${mark}`, over.signal));
    try {
      await sleep(500);
      for (let time = 0; time < times; time++) {
        if (!faultCase.harmless) tally.breaks();
        const seconds = await runFault(faultCase.fault(rig, time), () => secondsUntilRecovered(client, prober));
        tally.heals();
        recovery = Math.max(recovery, seconds);
        // It does not recover: another fault would show nothing more.
        if (recovery === Number.POSITIVE_INFINITY) break;
        await sleep(200 + Math.random() * 400);
      }
    } finally {
      over.abort();
      await Promise.all(load);
    }
    const findings = await compare(rig, client);
    const outcomes = rig.ledger.entries.slice(earlier.writes).map(({ outcome }) => outcome);
    wrong.push(...findings.wrong, ...tally.strays, ...unexpectedEnds(rig.ended.slice(earlier.ends), faultCase.ends));
    wrong.push(...((await faultCase.check?.(rig)) ?? []));
    const { lost } = findings;
    return {
      name: faultCase.name,
      times,
      acknowledged: outcomes.filter((outcome) => outcome === "acknowledged").length,
      unknown: outcomes.filter((outcome) => outcome === "unknown").length,
      lost,
      wrong,
      errors: tally.errors,
      recovery,
      isGood: lost.length + wrong.length === 0 && recovery <= limit,
    };
  } finally {
    client.close();
  }
}

/** Runs one fault up to the recovery; returns the seconds from the end of the fault to the recovery. */
async function runFault(fault: Fault, recovered: () => Promise<number | undefined>): Promise<number> {
  try {
    await fault.begin();
    await sleep(fault.holdMs);
  } finally {
    await fault.end();
  }
  return (await recovered()) ?? Number.POSITIVE_INFINITY;
}

/** Parts that ended though no fault should end them. */
export function unexpectedEnds(ended: readonly string[], ends: readonly string[] = []): string[] {
  return ended.filter((part) => !ends.includes(part)).map((part) => `${part} ended by itself`);
}

/** Registers a new user twice a second at the gateway. */
async function registerAgain(client: WritingClient, name: string, over: AbortSignal): Promise<void> {
  for (let number = 0; !over.aborted; number++) {
    await client.write({ kind: "register", userName: `${name}-${number}` }, 60_000);
    await sleep(500);
  }
}

/** Compares the ledger with the tables, the gateway's replies and the recount, once all jobs are done. */
export async function compare(rig: Pick<Rig, "query" | "ledger">, client: WritingClient): Promise<Findings> {
  const owed = await untilAtRest(rig.query);
  const findings = await compareTables(factsOf(rig.ledger.entries), rig.query);
  findings.wrong.push(...owed, ...(await compareReplies(client.ask, rig.query)));
  await recount(client.verify, ({ userId, statusId, field, stored, counted }) => {
    findings.wrong.push(`drift: ${field} of ${userId} ${statusId} is ${stored}, counted ${counted}`);
  });
  return findings;
}

/** Milliseconds that outstanding jobs may take: the outbox tries again within half a minute. */
const timeoutMs = 40_000;

/** Waits for the outbox, and for statements of clients that have left; returns what is still outstanding then. */
async function untilAtRest(query: Query): Promise<string[]> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const [owed] = await query(`
      select (select count(*)::int from account_jobs.jobs where task_identifier = 'create-profile') as profiles,
        (select count(*)::int from pg_stat_activity
         where application_name in ('roost-social', 'roost-account') and state <> 'idle') as statements`);
    if (owed?.profiles === 0 && owed.statements === 0) return [];
    if (performance.now() > end) return [`still owed at rest: ${JSON.stringify(owed)}`];
    await sleep(200);
  }
}

interface Profile {
  screen_name: string;
  description: string;
  statuses_count: number;
  friends_count: number;
  followers_count: number;
  favourites_count: number;
}

type Row = Profile & {
  id: string;
  /** Those of the timeline, the newest first. */
  ids: string[];
};

/**
 * Compares what the gateway shows of every user with the rows of the tables; returns the differences as sentences. The counters
 * are recounted by SQL that is independent of the service's.
 */
async function compareReplies(ask: Asker, query: Query): Promise<string[]> {
  const rows = (await query(users)) as unknown as Row[];
  const wrong: string[] = [];
  for (let start = 0; start < rows.length; start += 50) {
    const some = rows.slice(start, start + 50);
    const profiles = await resultsOf<Shown>(ask, `/social/${some.map((row) => row.screen_name).join(",")}`);
    for (const row of some)
      wrong.push(
        ...differences(
          row,
          profiles.find(({ id }) => String(id) === row.id),
        ),
      );
  }
  for (const row of rows.filter(({ ids }) => ids.length > 0)) {
    const ids = await readTimeline(ask, row.screen_name);
    if (ids.join() !== row.ids.join()) {
      wrong.push(`${row.screen_name}'s timeline shows ${ids.length} statuses, ${row.ids.length} are in the tables`);
    }
  }
  return wrong;
}

type Shown = Profile & { id: string | number; status?: { id: number } };

function differences({ id: _, ids, ...row }: Row, shown: Shown | undefined): string[] {
  if (shown === undefined) return [`${row.screen_name} is not found`];
  const says: Record<string, unknown> = { ...shown, status: shown.status && String(shown.status.id) };
  return Object.entries({ ...row, status: ids[0] })
    .filter(([field, is]) => says[field] !== is)
    .map(([field, is]) => `${row.screen_name}: ${field} shows ${says[field]}, and is ${is}`);
}

async function resultsOf<T>(ask: Asker, path: string): Promise<T[]> {
  const { status, body } = await ask.get(path);
  if (status !== 200) throw new Error(`${path} at rest got ${status} ${body}`);
  return (JSON.parse(body) as { results: T[] }).results;
}

async function readTimeline(ask: Asker, screenName: string): Promise<string[]> {
  const ids: string[] = [];
  for (let maxId = ""; ; ) {
    const page = await resultsOf<{ id: number }>(ask, `/social/${screenName}/timelines?take=200${maxId}`);
    ids.push(...page.map(({ id }) => String(id)));
    const last = page.at(-1);
    if (last === undefined || page.length < 200) return ids;
    maxId = `&maxId=${last.id - 1}`;
  }
}

const users = `
  select user_id::text as id, screen_name, description, cardinality(ids) as statuses_count, ids,
    (select count(*)::int from social.follow where follower_id = profile.user_id) as friends_count,
    (select count(*)::int from social.follow where follow.user_id = profile.user_id) as followers_count,
    (select count(*)::int from social.favorite where favorite.user_id = profile.user_id) as favourites_count
  from social.profile, lateral (
    select array(select id::text from social.status where author_id = profile.user_id order by social.status.id desc)
  ) as own (ids) order by user_id`;

/** Milliseconds for which a recovery is waited for. */
const recoveryMs = 60_000;

/**
 * Requests everything at once, again and again, until all of it succeeds: a registration, a publication, a timeline, a lookup,
 * `/readyz`. It does not wait for requests that hang: what counts is whether new ones are served.
 * @returns the seconds that this took; undefined after a minute without success
 */
async function secondsUntilRecovered(client: WritingClient, prober: Actor): Promise<number | undefined> {
  const start = performance.now();
  const rounds: Promise<void>[] = [];
  let recovered: number | undefined;
  while (recovered === undefined && performance.now() - start < recoveryMs) {
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
