import { ConfigurationError } from "../../platform/environment.ts";
import { createLog } from "../../platform/log.ts";
import { createPool } from "../../platform/postgres/pool.ts";
import { loadConfig } from "../config.ts";
import { runShards } from "./run.ts";

try {
  const connect = () =>
    createPool(loadConfig().databaseUrl, "roost-shards", createLog("shards", "error"), { isLongRunning: true });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const refuse = (reason: string) => void process.stderr.write(`${reason}\n`);
  process.exitCode = await runShards(process.argv.slice(2), connect, say, refuse);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
