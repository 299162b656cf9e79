import { parseArgs } from "node:util";
import { loadConfig } from "./config.ts";
import { loadSample } from "./load-sample.ts";
import { startSystem } from "./start-system.ts";
import { welcome } from "./welcome.ts";

const { values } = parseArgs({ options: { empty: { type: "boolean", default: false } } });
const config = loadConfig();
const say = (line: string) => console.error(line);

try {
  const system = await startSystem(config, say);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= system.stop().then(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  await loadSample(config, values.empty, say);
  console.log(welcome(system.url));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
