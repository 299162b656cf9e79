import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { runShards } from "../../services/social/shards/run.ts";

/** Runs `npm run shards` in this process, on a database as the social service has it; gives its exit code and what it said. */
export async function shards(
  { social }: { social: string },
  ...args: string[]
): Promise<{ code: number; said: string }> {
  const pool = createPool(social, "test-shards", createLog("test", "silent"), { isLongRunning: true });
  const said: string[] = [];
  const code = await runShards(args, pool, (line) => said.push(line)).finally(() => pool.end());
  return { code, said: said.join("\n") };
}
