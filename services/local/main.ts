import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkPorts } from "./check-ports.ts";
import { loadConfig } from "./config.ts";
import { loadSample } from "./load-sample.ts";
import { claimHome } from "./running-file.ts";
import { startSystem } from "./start-system.ts";
import { usage, welcome } from "./welcome.ts";

const say = (line: string) => console.error(line);
let stop: () => Promise<void> = async () => {};

try {
  const { values } = parseArgs({
    options: { empty: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const { config, doubts } = loadConfig();
  for (const doubt of doubts) say(doubt);
  mkdirSync(config.home, { recursive: true });
  const home = claimHome(config.home);
  stop = async () => home.release();
  await checkPorts(config);
  const system = await startSystem(config, say);
  let stopping: Promise<void> | undefined;
  stop = () => (stopping ??= system.stop().then(home.release));
  const end = () => void stop().then(() => process.exit(0));
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  await loadSample(config, system.url, values.empty, say);
  home.ready(system.url);
  console.log(welcome(system.url));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await stop();
  process.exit(1);
}
