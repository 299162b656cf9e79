import { randomBytes } from "node:crypto";
import http from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Log } from "../services/platform/log.ts";
import type { GatewayConfig } from "./config.ts";
import { addHealth, type Readiness } from "./health/readiness.ts";
import { unknownPath } from "./http/errors/catalog.ts";
import { maxHeaderLines, maxUrlLength, parserHeaderBytes } from "./http/limits/limits.ts";
import type { LoadShedding } from "./http/load/load-shedding.ts";
import { type RequestSpans, traceRequests } from "./http/log/request-spans.ts";
import { sendError } from "./http/replies/send.ts";
import { SpelledResponse } from "./http/replies/spelled-response.ts";
import { type CheckParts, checkRequest, presentAsGet, restoreVerb } from "./http/request-checks.ts";
import { addRequestContext } from "./http/requests/request-context.ts";
import { badPath, routedTarget } from "./http/requests/request-target.ts";
import { answerHandshakes } from "./http/sockets/handshakes.ts";
import { type LastRequests, serveInOrder } from "./http/sockets/pipelined-requests.ts";
import { readProxyProtocol } from "./http/sockets/proxy-protocol.ts";
import { limitHeads } from "./http/sockets/request-heads.ts";
import { type AnswerError, answerErrors } from "./http/sockets/socket-errors.ts";
import { watchConnections } from "./http/sockets/watch-connections.ts";
import { createTargets, type Targets } from "./http/targets.ts";
import { addLiveRoutes } from "./live/routes.ts";
import type { Streams } from "./live/streams.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { Operation } from "./operations/operation-table.ts";
import { createReadAnonymously } from "./operations/read-anonymously.ts";
import { addGenericRoutes, addNamedRoutes } from "./operations/routes.ts";
import type { Reads } from "./reads/reads.ts";
import { hasSessionCookie, type Sessions, sessionOfRead } from "./sessions/sessions.ts";
import { addPage } from "./site/page/page-routes.ts";
import { addSite } from "./site/site-routes.ts";

export interface AppParts {
  config: GatewayConfig;
  log: Log;
  operations: readonly Operation[];
  sessions: Sessions;
  reads: Reads;
  streams: Streams;
  readiness: Readiness;
  load: LoadShedding;
  metrics: GatewayMetrics;
  /** Of requests, when they are traced. */
  spans: RequestSpans | undefined;
}

export interface App {
  app: FastifyInstance;
  /** From now on every reply ends its connection. */
  endConnections(): void;
}

/** The HTTP application: every route, and every way to fail in the contract's shape. It does not listen yet. */
export function createApp(parts: AppParts): App {
  const { config, log, operations, sessions, reads, streams, readiness, load, metrics, spans } = parts;
  const { requests } = metrics;
  const timeoutMs = config.serviceTimeoutMs;
  const checks: CheckParts = { load, requests };
  const lastRequests: LastRequests = new WeakMap();
  const answerError = answerErrors(log, requests.of(undefined), lastRequests);
  const app = createFastify(config, log, answerError, checks);
  const sessionOf = ({ headers }: http.IncomingMessage) => sessionOfRead(headers);
  const targets = createTargets({ log, load, requests, timeoutMs, spans, sessionOf });
  installSockets(app, parts, lastRequests, targets);
  acceptAllVerbs(app);
  addRequestContext(app);
  if (spans !== undefined) traceRequests(app, spans);
  app.addHook("onRequest", async (request, reply) => checkRequest(request, reply, checks));
  const endConnections = addEndOfConnections(app, targets, streams);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => sendError(unknownPath(), request, reply));

  const operationParts = { sessions, reads, load, targets, timeoutMs };
  addNamedRoutes(app, operations, operationParts);
  addGenericRoutes(app, operations, operationParts);
  if (config.publicOperations === "all") addLiveRoutes(app, { sessions, streams, requests, timeoutMs });
  addSite(app, operations);
  addPage(app, operations, {
    settings: { ...config, canSignIn: config.publicOperations === "all" },
    read: createReadAnonymously(operations, operationParts),
    hasCookie: ({ headers: { cookie } }) => hasSessionCookie(cookie),
  });
  addHealth(app, readiness);
  return { app, endConnections };
}

function createFastify(config: GatewayConfig, log: Log, answer: AnswerError, checks: CheckParts): FastifyInstance {
  return Fastify({
    http: httpOptions(config),
    requestTimeout: config.requestTimeoutMs,
    trustProxy: config.trustProxy,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "reference" }),
    genReqId: () => randomBytes(8).toString("hex"),
    // During a stop, requests on open connections are served, with `Connection: close`.
    return503OnClosing: false,
    rewriteUrl: (request) => {
      presentAsGet(request as http.IncomingMessage);
      return routedTarget(request.url as string);
    },
    exposeHeadRoutes: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: maxUrlLength,
      // The binder reads queries, strictly.
      querystringParser: () => ({}),
    },
    clientErrorHandler: answer,
    frameworkErrors: (_error, request, reply) => void answerBadPath(request, reply, checks),
  }) as unknown as FastifyInstance;
}

/** Listeners on the server itself, before the router. */
function installSockets(app: FastifyInstance, parts: AppParts, lastRequests: LastRequests, targets: Targets): void {
  const { server } = app;
  const { config, load, metrics } = parts;
  readProxyProtocol(server, config.proxyProtocolFrom);
  targets.install(server);
  serveInOrder(server, lastRequests);
  limitHeads(server, lastRequests, load.requests, metrics.requests.of(undefined));
  const watch = watchConnections(server, config.pageCacheBytes, lastRequests);
  app.addHook("onClose", async () => watch.stop());
  answerHandshakes(server);
  // Node silently drops the lines beyond this number. So many lines are always longer than maxHeaderBytes, so the request is refused.
  server.maxHeadersCount = maxHeaderLines + 1;
}

function httpOptions({ requestTimeoutMs }: GatewayConfig): http.ServerOptions {
  return {
    ServerResponse: SpelledResponse,
    maxHeaderSize: parserHeaderBytes,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Milliseconds between two of Node's checks for requests that are late.
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
    // Node's own answer has no body.
    requireHostHeader: false,
  };
}

/**
 * Makes the one route of each path serve every verb. readBody reads the bodies of all verbs: Fastify's own reading answers 415 and
 * other errors that the contract does not have.
 */
function acceptAllVerbs(app: FastifyInstance): void {
  const verbs = http.METHODS.filter((method) => method !== "CONNECT");
  for (const verb of verbs) app.addHttpMethod(verb, { hasBody: false, overrideExisting: true });
  app.addHook("onRequest", (request, _reply, done) => {
    restoreVerb(request.raw);
    done();
  });
}

/**
 * During a stop, tells clients that their connection ends with this reply. Otherwise an idle one would stay open for a minute,
 * and a busy one be closed while its next request is on the way.
 * @returns a function that starts this; closing the app starts it at the latest
 */
function addEndOfConnections(app: FastifyInstance, targets: Targets, streams: Streams): () => void {
  let isEnding = false;
  const endConnections = () => {
    isEnding = true;
    targets.close();
    streams.end();
  };
  app.addHook("preClose", async () => endConnections());
  app.addHook("onSend", async (_request, reply) => {
    if (isEnding) reply.header("connection", "close");
  });
  return endConnections;
}

// The router's one error: a path that it cannot decode. Fastify runs no hooks for it.
async function answerBadPath(request: FastifyRequest, reply: FastifyReply, checks: CheckParts): Promise<void> {
  restoreVerb(request.raw);
  try {
    if (checkRequest(request, reply, checks) === undefined) throw badPath();
  } catch (error) {
    sendError(error, request, reply);
  }
}
