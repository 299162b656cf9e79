import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { parseOptions, readCall } from "../platform/parse-options.ts";
import { type LocalConfig, loadConfig } from "./config.ts";
import { loadSample } from "./load-sample.ts";
import { checkPorts } from "./ports.ts";
import { claimHome } from "./running-file.ts";
import { startSystem } from "./start-system.ts";

/** The text of `npm start -- --help`. */
const usage = `Usage: npm start
       npm start -- --empty     without the sample data, on the first start
       ROOST_HOME=/tmp/other GATEWAY_PORT=8090 ACCOUNT_PORT=4011 SOCIAL_PORT=4012 npm start
                                a second system beside the first

Starts the whole system on this machine: Postgres, Redis where there is a redis-server, and the three processes. Its data is
in .roost (ROOST_HOME); delete that folder to start anew. Ctrl-C, or SIGTERM, stops it.

docs/operations.md lists all settings.`;

const say = (line: string) => console.error(line);
const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => ending.abort());

try {
  const read = (args: string[]) => parseOptions({ args, options: { empty: { type: "boolean", default: false } } });
  const call = readCall(process.argv.slice(2), usage, read, { print: console.log, refuse: say });
  if (typeof call === "number") process.exit(call);
  const { config, warnings } = loadConfig();
  for (const warning of warnings) say(warning);
  await run(config, call.values.empty);
  process.exit(0);
} catch (error) {
  if (error === ending.signal.reason) process.exit(0);
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/** Runs the system until a signal ends it, which may come while it still starts. */
async function run(config: LocalConfig, empty: boolean): Promise<void> {
  mkdirSync(config.home, { recursive: true });
  const home = claimHome(config.home);
  try {
    await checkPorts(config);
    const system = await startSystem(config, say, ending.signal);
    const end = once(ending.signal, "abort");
    try {
      // An import under way is abandoned with the system: the next start repeats it.
      const loading = loadSample(config, empty, say);
      const hasSample = await Promise.race([loading, end.then(() => undefined)]);
      if (hasSample !== undefined) {
        home.ready(system.url);
        console.log(welcome(system.url, hasSample));
        await end;
      }
    } finally {
      await system.stop();
    }
  } finally {
    home.release();
  }
}

/** What `npm start` prints when everything is ready: commands to try, and the address. Without the sample data there is no user to read yet. */
function welcome(url: string, hasSample: boolean): string {
  const reads = hasSample ? [`curl ${url}/social/lighthouse`, `curl '${url}/social/lighthouse/timelines?take=3'`] : [];
  return `
To try:
${reads.map((command) => `  ${command}\n`).join("")}  curl -d '{"userName":"you","password":"correct horse"}' ${url}/register

ready ${url}`;
}
