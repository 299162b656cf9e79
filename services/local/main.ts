import { parseArgs } from "node:util";
import { loadConfig } from "./config.ts";
import { loadSample } from "./load-sample.ts";
import { startSystem } from "./start-system.ts";
import { welcome } from "./welcome.ts";

const say = (line: string) => console.error(line);
let stop: () => Promise<void> = async () => {};

try {
  const { values } = parseArgs({ options: { empty: { type: "boolean", default: false } } });
  const config = loadConfig();
  const system = await startSystem(config, say);
  let stopping: Promise<void> | undefined;
  stop = () => (stopping ??= system.stop());
  const end = () => void stop().then(() => process.exit(0));
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  await loadSample(config, system.url, values.empty, say);
  console.log(welcome(system.url));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await stop();
  process.exit(1);
}
