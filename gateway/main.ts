import { collectSoonerAbove } from "../services/platform/heap-growth.ts";
import { runProcess } from "../services/platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startGateway } from "./server.ts";

/** Bytes that the gateway takes beside the pages that it caches, the code of Node and some garbage included. */
const memoryBesidePages = 120 * 1024 * 1024;

await runProcess("gateway", loadConfig, (config, log) => {
  collectSoonerAbove(config.pageCacheBytes + memoryBesidePages);
  return startGateway(config, log);
});
