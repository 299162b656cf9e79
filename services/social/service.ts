import { join } from "node:path";
import { serveRpc } from "../platform/connect/server.ts";
import type { Running } from "../platform/lifecycle.ts";
import type { Log } from "../platform/log.ts";
import { serveAdmin } from "../platform/metrics/admin-server.ts";
import { measureServed } from "../platform/metrics/rpc-metrics.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { createDatabaseProbe } from "../platform/postgres/probe.ts";
import { startTracing, traceServed } from "../platform/tracing/tracing.ts";
import type { SocialConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { startMaintenance } from "./maintenance.ts";
import { measureQueues } from "./metrics.ts";
import { addRoutes } from "./routes.ts";
import { distributeNewTables } from "./shards/create-shards.ts";
import { hasNoStuckTransactions, preparedPart } from "./shards/prepared-health.ts";

/** Starts the social service: schema first, then the port. */
export async function startSocial(config: SocialConfig, log: Log): Promise<Running> {
  await migrate(config.databaseUrl, "social", join(import.meta.dirname, "migrations"), log);
  const ctx = createContext(config, log);
  await distributeNewTables(ctx.pool);
  const { registry } = ctx.metrics;
  measureQueues(registry, ctx.pool, ctx.writes);
  const database = createDatabaseProbe(config.databaseUrl, "roost-social-health", log);
  const tracing = await startTracing("social", config, log);
  const interceptors = [measureServed(registry), ...(tracing ? [traceServed(tracing)] : [])];
  const healthParts = new Map([[preparedPart, () => hasNoStuckTransactions(ctx)]]);
  const options = { ...config, log, isReady: database.isAnswering, healthParts, interceptors };
  const server = await serveRpc(options, (router) => addRoutes(router, ctx));
  const maintenance = startMaintenance(ctx);
  const admin = await serveAdmin(config, registry, log);
  return {
    url: server.url,
    async close() {
      await ctx.watch.stop();
      await server.close();
      await admin.close();
      await tracing?.close();
      await maintenance.stop();
      await database.close();
      await ctx.close();
    },
  };
}
