import { join } from "node:path";
import { serveRpc } from "../platform/connect/server.ts";
import type { Running } from "../platform/lifecycle.ts";
import type { Log } from "../platform/log.ts";
import { serveAdmin } from "../platform/metrics/admin-server.ts";
import { measureServed } from "../platform/metrics/rpc-metrics.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { createDatabaseProbe } from "../platform/postgres/probe.ts";
import { startTracing, traceServed } from "../platform/tracing/tracing.ts";
import type { AccountConfig } from "./config.ts";
import { createContext } from "./context.ts";
import { startOutbox } from "./jobs/outbox.ts";
import { measureQueues } from "./metrics.ts";
import { addRoutes } from "./routes.ts";

/** Starts the account service: schema first, then the outbox, then the port. */
export async function startAccount(config: AccountConfig, log: Log): Promise<Running> {
  await migrate(config.databaseUrl, "account", join(import.meta.dirname, "migrations"), log);
  const ctx = await createContext(config, log);
  const { registry } = ctx.metrics;
  measureQueues(registry, ctx.pool, ctx.passwords);
  const outbox = await startOutbox(ctx);
  const database = createDatabaseProbe(config.databaseUrl, "roost-account-health", log);
  const tracing = await startTracing("account", config, log);
  const interceptors = [measureServed(registry), ...(tracing ? [traceServed(tracing)] : [])];
  const server = await serveRpc({ ...config, log, isReady: database.isAnswering, interceptors }, (router) =>
    addRoutes(router, ctx),
  );
  const admin = await serveAdmin(config, registry, log);
  return {
    url: server.url,
    async close() {
      await server.close();
      await admin.close();
      await tracing?.close();
      await database.close();
      await outbox.stop();
      await ctx.close();
    },
  };
}
