import type { TestDatabase } from "../support/test-database.ts";
import { describeCase } from "./fuzz-case.ts";
import { checkNormalRequest, sendKnown } from "./fuzz-http.ts";
import type { FuzzedSystem } from "./fuzzed-system.ts";
import { judgeReply } from "./judge-reply.ts";
import { operationCases } from "./operation-cases.ts";
import { runBatches } from "./run-batches.ts";
import { whileSending } from "./send-case.ts";

/** The outcomes of the requests. */
export interface Outcomes {
  refused: number;
  /** The number of requests that changed something. */
  written: number;
}

/**
 * Sends `count` requests made from `seed`, one at a time, and checks that refused ones change nothing that is stored.
 * @throws Error with seed and cases
 */
export async function fuzzRefused(system: FuzzedSystem, count: number, seed: number): Promise<Outcomes> {
  const digest = await createDigest(system.database);
  const outcomes: Outcomes = { refused: 0, written: 0 };
  let before = await digest();
  await whileSending(system, (send) =>
    runBatches(
      {
        name: "fuzzer of refusals",
        cases: operationCases,
        concurrentBatches: 1,
        concurrentCases: 1,
        describe: describeCase,
        async run(asked) {
          const reply = await sendKnown(send, system, asked);
          judgeReply(reply, asked);
          const after = await digest();
          const isChanged = after !== before;
          before = after;
          if (isChanged) outcomes.written++;
          // With a callback the status of errors is 200.
          if (reply.status < 400 && !reply.body.includes('"errorCode"')) return;
          outcomes.refused++;
          if (isChanged) throw new Error(`refused with ${reply.status}, and something changed`);
        },
        async checkHealth() {
          await checkNormalRequest(send);
          system.checkLog();
          await system.known.renew();
          before = await digest();
        },
      },
      count,
      seed,
    ),
  );
  return outcomes;
}

/** Tables that the processes change without requests. */
const processTables = ["epoch", "id_node", "pgmigrations"];

/** Returns a function that computes a digest of everything that both services store. */
async function createDigest(database: TestDatabase): Promise<() => Promise<unknown>> {
  const tables = await database.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('account', 'social') and table_type = 'BASE TABLE' and table_name <> all ($1) order by 1`,
    [processTables],
  );
  const parts = tables.map(({ name }) => `(select string_agg(t::text, ',' order by t::text) from ${name as string} t)`);
  return async () => (await database.query(`select md5(concat_ws('|', ${parts.join(", ")})) as digest`))[0]?.digest;
}
