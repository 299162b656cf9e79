import { randomBytes } from "node:crypto";
import http from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Log } from "../services/platform/log.ts";
import type { KeptReads } from "./cache/cached-operations.ts";
import type { GatewayConfig } from "./config.ts";
import { addHealth } from "./health/add-health.ts";
import type { Readiness } from "./health/readiness.ts";
import { unknownPath } from "./http/errors/catalog.ts";
import { createShortcut } from "./http/fast-path.ts";
import { maxUrlLength, parserHeaderBytes } from "./http/limits/limits.ts";
import type { Load } from "./http/load/load-shedding.ts";
import { type RequestSpans, traceRequests } from "./http/log/request-spans.ts";
import { sendError } from "./http/replies/send-error.ts";
import { beginExchange } from "./http/request-checks.ts";
import { badPath, routedTarget } from "./http/requests/request-target.ts";
import { answerHandshakes } from "./http/sockets/handshakes.ts";
import { standBehindBalancers } from "./http/sockets/proxy-protocol.ts";
import { createSocketErrors } from "./http/sockets/socket-errors.ts";
import { watchConnections } from "./http/sockets/watch-connections.ts";
import type { GatewayMetrics } from "./metrics.ts";
import { addGenericRoutes } from "./operations/generic-routes.ts";
import { addOperationRoutes } from "./operations/named-routes.ts";
import type { Operation } from "./operations/operation-table.ts";
import { createCookieTrust } from "./sessions/cookie-trust.ts";
import type { IdentifyCaller } from "./sessions/identify-caller.ts";
import { addPage } from "./site/page/page-routes.ts";
import { addDiscovery } from "./site/site-routes.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** From now on every reply ends its connection. */
    endConnections(): void;
  }
}

/** The HTTP application: every route, and every way to fail in the contract's shape. It does not listen yet. */
export function createApp(
  config: GatewayConfig,
  log: Log,
  operations: readonly Operation[],
  identify: IdentifyCaller,
  keptReads: KeptReads["reads"],
  readiness: Readiness,
  load: Load,
  metrics: GatewayMetrics,
  spans?: RequestSpans,
): FastifyInstance {
  const sockets = createSocketErrors(log, metrics.requests.of(undefined));
  const app = Fastify({
    http: httpOptions(config),
    requestTimeout: config.requestTimeoutMs,
    trustProxy: config.trustProxy,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "reference" }),
    genReqId: () => randomBytes(8).toString("hex"),
    // What still comes in on open connections during a stop is served, and told that its connection ends.
    return503OnClosing: false,
    rewriteUrl: (request) => routedTarget(request.url as string),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: maxUrlLength,
      // The binder reads queries, strictly.
      querystringParser: () => ({}),
    },
    clientErrorHandler: sockets.answer,
    frameworkErrors: (_error, request, reply) => void answerBadPath(request, reply),
  }) as unknown as FastifyInstance;

  const shortcut = createShortcut(log, load, metrics.requests, config.serviceTimeoutMs, spans);
  standBehindBalancers(app.server, config.proxyProtocolFrom);
  shortcut.stand(app.server);
  app.server.prependListener("request", sockets.note);
  const stopWatching = watchConnections(app.server, config.pageCacheBytes);
  app.addHook("onClose", async () => stopWatching());
  answerHandshakes(app.server);
  // Node drops headers beyond a number without a word; their bytes are limited anyway.
  app.server.maxHeadersCount = 0;
  acceptAllVerbs(app);
  app.decorate("identifyCaller", identify);
  app.decorate("cookieTrust", createCookieTrust(config.corsOrigins));
  app.decorate("keptReads", keptReads);
  app.decorate("load", load);
  app.decorate("requestMetrics", metrics.requests);
  app.decorate("serviceTimeoutMs", config.serviceTimeoutMs);
  app.decorate("shortcut", shortcut);
  if (spans !== undefined) traceRequests(app, spans);
  app.addHook("onRequest", async (request, reply) => beginExchange(request, reply));
  addEndOfConnections(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(unknownPath(), request, reply));
  addOperationRoutes(app, operations);
  addGenericRoutes(app, operations);
  addDiscovery(app, operations);
  addPage(app);
  addHealth(app, readiness);
  return app;
}

function httpOptions({ requestTimeoutMs }: GatewayConfig): http.ServerOptions {
  return {
    maxHeaderSize: parserHeaderBytes,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // How often Node looks for requests that are late.
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
    // Node's own answer has no body.
    requireHostHeader: false,
  };
}

/** Bodies are read by readBody on every verb: Fastify's own reading answers 415 and more that the contract lacks. */
function acceptAllVerbs(app: FastifyInstance): void {
  const verbs = http.METHODS.filter((method) => method !== "CONNECT");
  for (const verb of verbs) app.addHttpMethod(verb, { hasBody: false, overrideExisting: true });
}

/**
 * Tells clients from some time of a stop on, at its end at the latest, that their connection ends with this reply. Else an
 * idle one would stay open for a minute, and a busy one be closed while its next request is on the way.
 */
function addEndOfConnections(app: FastifyInstance): void {
  let isEnding = false;
  app.decorate("endConnections", () => {
    isEnding = true;
    app.shortcut.close();
  });
  app.addHook("preClose", async () => app.endConnections());
  app.addHook("onSend", async (_request, reply) => {
    if (isEnding) reply.header("connection", "close");
  });
}

// The router's one error: a path that it cannot decode. Fastify runs no hooks for it.
async function answerBadPath(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    if (beginExchange(request, reply) === undefined) throw badPath();
  } catch (error) {
    sendError(error, request, reply);
  }
}
