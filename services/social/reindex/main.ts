import { ConfigurationError } from "../../platform/environment.ts";
import { createLog } from "../../platform/log.ts";
import { parseOptions, readCall } from "../../platform/parse-options.ts";
import { createServicePool } from "../../platform/postgres/pool.ts";
import { loadConfig } from "../config.ts";
import { createSocialMetrics } from "../metrics.ts";
import { createWriteQueue } from "../write-queue.ts";
import { reindex } from "./reindex.ts";

const usage = `usage: npm run reindex

Makes the words by which searches find users and statuses, for all rows that have none, or those of older rules. Needed once after an
upgrade whose notes say so, when no process of the earlier release runs any more. The services run meanwhile, and the command may be
interrupted and repeated. SOCIAL_DATABASE_URL names the database.
`;

const call = readCall(process.argv.slice(2), usage, (args) => parseOptions({ args }), {
  print: (text) => void process.stdout.write(text),
  refuse: (text) => void process.stderr.write(text),
});
try {
  if (typeof call === "number") process.exitCode = call;
  else await run();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const pool = createServicePool(loadConfig(), "roost-reindex", createLog("reindex", "error"));
  try {
    const ctx = { pool, writes: createWriteQueue(createSocialMetrics().refusals) };
    let said = Date.now();
    const { users, statuses } = await reindex(ctx, (done) => {
      if (Date.now() < said + sayMs) return;
      said = Date.now();
      process.stderr.write(`${done.users} users, ${done.statuses} statuses\n`);
    });
    process.stdout.write(`Made the words of ${users} users and ${statuses} statuses.\n`);
  } finally {
    await pool.end();
  }
}

/** Milliseconds between two lines about the progress. */
const sayMs = 5_000;
