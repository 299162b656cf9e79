import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../services/platform/lifecycle.ts";
import type { Log } from "../services/platform/log.ts";
import { createApp } from "./app.ts";
import { type CacheParts, createKeptReads } from "./cache/kept-reads.ts";
import { createServiceClients, type ServiceClients } from "./clients.ts";
import type { GatewayConfig } from "./config.ts";
import { createReadiness } from "./health/readiness.ts";
import { watchLoad } from "./load/load.ts";
import { compileOperations } from "./operations.ts";
import { createIdentifyCaller } from "./sessions/identify-caller.ts";

/**
 * Starts the gateway: compiles the operations of all services, then opens the port.
 * @param clients the services behind it; those that the configuration names when left out
 * @param parts broken parts for the cache, by which tests try their checks
 */
export async function startGateway(
  config: GatewayConfig,
  log: Log,
  clients: ServiceClients = createServiceClients(config),
  parts?: CacheParts,
): Promise<Running> {
  const operations = compileOperations(clients.services);
  const kept = createKeptReads(config, log, clients, operations, parts);
  const identify = createIdentifyCaller(clients.sessions, config.corsOrigins);
  const load = watchLoad(config);
  const readiness = createReadiness(clients.neighbours);
  const app = createApp(config, log, operations, identify, kept.reads, readiness, load);
  await app.listen({ host: config.host, port: config.port, backlog: 1024 });
  return {
    url: app.listeningOrigin,
    async close() {
      readiness.drain();
      // Balancers hear of it, while everything is still served.
      await sleep(config.drainMs);
      await app.close();
      load.close();
      kept.close();
      clients.close();
    },
  };
}
