import { drain, type Running } from "../services/platform/lifecycle.ts";
import type { Log } from "../services/platform/log.ts";
import { serveAdmin } from "../services/platform/metrics/admin-server.ts";
import { measureCalls } from "../services/platform/metrics/rpc-metrics.ts";
import { startTracing } from "../services/platform/tracing/tracing.ts";
import { createApp } from "./app.ts";
import { createServiceClients, type ServiceClients } from "./clients.ts";
import type { GatewayConfig } from "./config.ts";
import { createReadiness } from "./health/readiness.ts";
import { createLoadShedding } from "./http/load/load-shedding.ts";
import { createRequestSpans } from "./http/log/request-spans.ts";
import { createStreams } from "./live/streams.ts";
import { createGatewayMetrics, measureLoad } from "./metrics.ts";
import { compileOperations } from "./operations/operation-table.ts";
import { type BreakReads, createReads, warmUp } from "./reads/reads.ts";
import { createSessions } from "./sessions/sessions.ts";

/**
 * Starts the gateway: compiles the operations of all services, then opens the port.
 * @param given the services behind it; default: those that the configuration names
 * @param breakReads breaks reads, by which tests try their checks
 */
export async function startGateway(
  config: GatewayConfig,
  log: Log,
  given?: ServiceClients,
  breakReads?: BreakReads,
): Promise<Running> {
  const metrics = createGatewayMetrics();
  const clients = given ?? createServiceClients(config, measureCalls(metrics.registry));
  const tracing = await startTracing("gateway", config, log);
  const spans = tracing && createRequestSpans(tracing);
  const operations = compileOperations(clients.services, metrics.reads.keysInGroup);
  const reads = createReads(config, log, clients, operations, { counts: metrics.reads, breakParts: breakReads });
  const load = createLoadShedding(config, metrics.shed);
  measureLoad(metrics.registry, load);
  const readiness = createReadiness(clients.dependencies, () => warmUp(operations, reads));
  const streams = createStreams(config, clients, metrics.live, log);
  const { app, endConnections } = createApp({
    config,
    log,
    operations,
    sessions: createSessions(reads.findUser, config.corsOrigins),
    reads,
    streams,
    readiness,
    load,
    metrics,
    spans,
  });
  const admin = await serveAdmin(config, metrics.registry, log);
  await app.listen({ host: config.host, port: config.port, backlog: 1024 });
  return {
    url: app.listeningOrigin,
    async close() {
      readiness.drain();
      await drain(config.drainMs, endConnections);
      const force = setTimeout(() => app.server.closeAllConnections(), closeTimeoutMs);
      await app.close();
      clearTimeout(force);
      await admin.close();
      await tracing?.close();
      load.close();
      reads.close();
      clients.close();
    },
  };
}

/**
 * Milliseconds that requests under way have to finish when the gateway closes, also those of which only a part has arrived.
 * With the longest drain before it, a stop takes less than 10 s.
 */
const closeTimeoutMs = 4_000;
