import { parseOptions, readCall, UsageError } from "../../platform/parse-options.ts";
import type { Pool } from "../../platform/postgres/pool.ts";
import { distribution } from "../store/shards/distribution.ts";
import { hasCitus, listServerShards, listTableLocations, rebalanceShards } from "../store/shards/tables.ts";
import { createShards } from "./create-shards.ts";

const help = `usage: npm run shards -- create | status | rebalance [--block-writes] | verify

Distributes the social service's tables over a Citus cluster (docs/scaling.md). SOCIAL_DATABASE_URL names its coordinator, as the
owner of the tables, which the service has made at its first start.

  create     distributes the tables that are not distributed yet, all or none; reads continue, writes wait
  status     shows where the rows of each table lie, and what each server holds
  rebalance  moves shards until all servers hold about as much, such as after a server was added; writes continue where the
             servers have wal_level = logical; elsewhere use --block-writes, with which they wait for each shard
  verify     lists the tables that do not lie where they should; exits with 1 when there are any
`;

/**
 * Runs one command, and prints what it did or found.
 * @param connect called for a command only: the usage needs no database
 * @param refuse prints what is wrong with the call
 * @returns the exit code: 1 for tables that lie elsewhere, or a database without Citus; 2 for a wrong call
 */
export async function runShards(
  args: readonly string[],
  connect: () => Pool,
  say: (line: string) => void,
  refuse: (reason: string) => void,
): Promise<number> {
  const call = readCall(args, help, parsed, { print: say, refuse });
  if (typeof call === "number") return call;
  const pool = connect();
  try {
    if (await hasCitus(pool)) return await call.run(pool, say, call.blockWrites);
    say("This database has no extension citus.");
    return 1;
  } finally {
    await pool.end();
  }
}

interface Call {
  run: Command;
  blockWrites: boolean;
}

/** @throws UsageError */
function parsed(args: string[]): Call {
  const options = { "block-writes": { type: "boolean", default: false } } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const [command = "", ...more] = positionals;
  const run = commands.get(command);
  if (run === undefined || more.length > 0) throw new UsageError("One command is needed.");
  const blockWrites = values["block-writes"];
  if (blockWrites && command !== "rebalance") throw new UsageError("--block-writes goes with rebalance.");
  return { run, blockWrites };
}

type Command = (pool: Pool, say: (line: string) => void, blockWrites: boolean) => Promise<number>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    "create",
    async (pool, say) => {
      const distributed = await createShards(pool);
      say(distributed.length > 0 ? `Distributed: ${distributed.join(", ")}.` : "All tables are already distributed.");
      return 0;
    },
  ],
  [
    "status",
    async (pool, say) => {
      for (const { table, place } of await listTableLocations(pool)) say(`${table.padEnd(16)} ${place}`);
      for (const { server, shards, bytes } of await listServerShards(pool)) {
        say(`${server.padEnd(24)} ${shards} shards, ${Math.round(Number(bytes) / 1024)} KiB`);
      }
      return 0;
    },
  ],
  [
    "rebalance",
    async (pool, say, blockWrites) => {
      await rebalanceShards(pool, blockWrites);
      say("All servers hold about as much.");
      return 0;
    },
  ],
  [
    "verify",
    async (pool, say) => {
      const places = await listTableLocations(pool);
      const wrong = places.filter(({ table, place }) => distribution[table] !== place);
      for (const { table, place } of wrong) {
        say(`${table}: lies by ${place}, should lie by ${distribution[table] ?? "(no distribution is defined)"}`);
      }
      if (wrong.length === 0) say(`All ${places.length} tables lie where they should.`);
      return wrong.length === 0 ? 0 : 1;
    },
  ],
]);
