import { setTimeout as sleep } from "node:timers/promises";
import { recount } from "../../cli/verify/recount.ts";
import { act, createActor } from "./actor.ts";
import { compareReplies } from "./compare-replies.ts";
import { compareTables, type Findings, type Query } from "./compare-tables.ts";
import { factsOf } from "./facts.ts";
import type { Fault, FaultCase } from "./fault-case.ts";
import { readLedger } from "./ledger.ts";
import { secondsUntilRecovered } from "./recovery.ts";
import type { Rig } from "./rig.ts";
import { createTally } from "./tally.ts";
import { createWritingClient, type WritingClient } from "./writing-client.ts";

/** The result of a case. */
export interface Outcome extends Findings {
  name: string;
  times: number;
  acknowledged: number;
  unknown: number;
  /** Failures by answer. */
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
  const earlier = { writes: readLedger(rig.ledger.file).length, ends: rig.ended.length };
  const tally = createTally(faultCase.alsoAllowed);
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
    const entries = readLedger(rig.ledger.file).slice(earlier.writes);
    wrong.push(...findings.wrong, ...tally.strays, ...unexpectedEnds(rig.ended.slice(earlier.ends), faultCase.ends));
    const { lost } = findings;
    return {
      name: faultCase.name,
      times,
      acknowledged: entries.filter(({ outcome }) => outcome === "acknowledged").length,
      unknown: entries.filter(({ outcome }) => outcome === "unknown").length,
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
export async function compare(
  rig: Pick<Rig, "query" | "ledger">,
  client: WritingClient,
  restMs = 2_200,
): Promise<Findings> {
  const owed = await untilAtRest(rig.query);
  // Changes of counters by others may show a token's lifetime late (design §5).
  await sleep(restMs);
  const findings = await compareTables(factsOf(readLedger(rig.ledger.file)), rig.query);
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
    if (owed?.profiles === 0 && owed.statements === 0) break;
    if (performance.now() > end) return [`still owed at rest: ${JSON.stringify(owed)}`];
    await sleep(200);
  }
  return [];
}
