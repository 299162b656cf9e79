import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { runShards } from "../../services/social/shards/run.ts";

/** Runs `npm run shards` in this process, on a database of the social service; returns its exit code and its output. */
export async function shards(
  { social }: { social: string },
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const connect = () => createPool(social, "test-shards", createLog("test", "silent"), { isLongRunning: true });
  const output: string[] = [];
  const say = (line: string) => output.push(line);
  const code = await runShards(args, connect, say, say);
  return { code, output: output.join("\n") };
}
