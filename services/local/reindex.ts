import { spawn } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { searchRules } from "../platform/rules/search-rules.ts";
import { loadConfig } from "../social/config.ts";
import { exitOf } from "./child-process.ts";

/**
 * Runs `npm run reindex` beside the system if there are rows from before the present rules of searches.
 * @param environment of the social service
 * @returns what ends it
 */
export async function startReindex(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ stop(): Promise<void> }> {
  if (!(await isBehind(loadConfig(environment).databaseUrl))) return { stop: async () => {} };
  say("older statuses are being prepared for searches");
  const child = spawn(process.execPath, [...process.execArgv, "services/social/reindex/main.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    env: environment,
    stdio: "ignore",
    detached: true,
  });
  let isStopping = false;
  const exited = exitOf(child).then(({ code }) => {
    if (code !== 0 && !isStopping) say("searches do not find all statuses: see `npm run reindex`");
  });
  return {
    stop() {
      isStopping = true;
      child.kill("SIGTERM");
      return exited;
    },
  };
}

async function isBehind(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ rules: number }>("select rules from social.search_state");
    return (rows[0]?.rules ?? 0) < searchRules;
  } finally {
    await client.end();
  }
}
