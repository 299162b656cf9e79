import { collectSoonerAbove } from "../platform/heap-growth.ts";
import { runProcess } from "../platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startSocial } from "./service.ts";

/** Bytes that the service takes under load, where the garbage of long timelines is collected in time. */
const usualMemory = 125 * 1024 * 1024;

await runProcess("social", loadConfig, (config, log) => {
  collectSoonerAbove(usualMemory);
  return startSocial(config, log);
});
