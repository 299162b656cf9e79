import { collectSoonerAbove } from "../services/platform/heap-growth.ts";
import { runProcess } from "../services/platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startGateway } from "./server.ts";

/** Bytes that the gateway takes beside the pages that it caches, the code of Node and some garbage included. */
const memoryBesidePages = 110 * 1024 * 1024;

/** Bytes of pages for which there is always room: a gateway that caches less makes more garbage. */
const minPageBytes = 32 * 1024 * 1024;

await runProcess("gateway", loadConfig, (config, log) => {
  collectSoonerAbove(Math.max(config.pageCacheBytes, minPageBytes) + memoryBesidePages);
  return startGateway(config, log);
});
