// Most requests repeat earlier ones: plain GETs of a few targets, or POSTs of a few short bodies. They need not be routed, read and bound
// again, so the fast path finds them before Fastify does (this file), and answers them (serve-repeated.ts). It must not skip the freshness
// tokens (each request waits until they are confirmed or read), the request checks (served-targets.ts finds only requests that pass all of
// them), the session, load shedding, the deadline, the metrics, the log and the span. Every other request goes to the router.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Deadline } from "../limits/deadline.ts";
import type { LoadShedding } from "../load/load-shedding.ts";
import type { RequestMetrics } from "../log/request-metrics.ts";
import { interceptRequests } from "../requests/intercept-requests.ts";
import type { LastRequests } from "../sockets/last-requests.ts";
import { factsOf, type Outcome, ReadRequest, type RequestFacts } from "./fast-request.ts";
import { type RepeatedBytes, readRepeatedBytes } from "./repeated-bytes.ts";
import { type ServeParts, serveRepeated } from "./serve-repeated.ts";
import { createServedTargets, type RepeatedRequest, type ServedTarget, type ServedTargets } from "./served-targets.ts";

/**
 * Answers GETs and HEADs of targets that were served before: the same target without a body is the same request, under any callback.
 * Also answers POSTs that repeat a target with a short body, batches included.
 */
export interface FastPath extends Pick<ServedTargets, "addTarget"> {
  /** The error with which the fast path failed to answer a request: `runOperation` throws it, and asks no service again. */
  failureOf(request: IncomingMessage): unknown;
  /** The deadline of a request that waited on the fast path and was then left to the router. */
  deadlineOf(request: IncomingMessage): Deadline | undefined;
  /**
   * Puts the fast path before the server's own request listener, and before Node's parser.
   * @param noteRequest called for each request that Node's parser does not read
   */
  install(server: Server, lastRequests: LastRequests, noteRequest: (socket: Socket) => void): void;
  /** Sends every request to the router from now on; the router tells clients that their connection ends. */
  close(): void;
  /** To be called after `close`. Resolves when no request is being answered that Node has not read. */
  whenIdle(): Promise<void>;
}

export interface FastPathParts extends ServeParts {
  /** Under overload every request goes to the router, which refuses it. */
  load: LoadShedding;
  requests: RequestMetrics;
}

export function createFastPath(parts: FastPathParts): FastPath {
  const { load, requests, spans, callers } = parts;
  const targets = createServedTargets(load, requests);
  const serve = serveRepeated(parts);
  const outcomes = new WeakMap<IncomingMessage, Outcome>();
  let closed = false;
  let knownBytes: RepeatedBytes;

  /** The facts of a request; undefined where the fast path cannot answer it. */
  function factsFor({ key, served, callback }: RepeatedRequest, message: IncomingMessage): RequestFacts | undefined {
    const isScript = callback !== undefined;
    // JSONP calls are anonymous.
    const sessionId = isScript ? "" : callers.sessionOf(message.headers);
    return sessionId !== undefined && isFor(served, sessionId) ? factsOf(message, key, sessionId, isScript) : undefined;
  }

  return {
    addTarget: targets.addTarget,
    failureOf: (request) => outcomes.get(request)?.failure,
    deadlineOf: (request) => outcomes.get(request)?.deadline,
    install(server, lastRequests, noteRequest) {
      knownBytes = readRepeatedBytes(server, {
        lastRequests,
        noteRequest,
        answer(facts, request) {
          // A trace includes Node's reading of the request.
          if (closed || spans !== undefined) return false;
          const found = targets.findAgain(facts.key);
          if (found === undefined || !isFor(found.served, facts.sessionId)) return false;
          serve(found, facts, request);
          return true;
        },
      });
      interceptRequests(server, (route) => (message, response) => {
        const toRouter = (outcome: Outcome | undefined) => {
          if (outcome !== undefined) outcomes.set(message, outcome);
          route(message, response);
        };
        const { outcome, bytes } = knownBytes.noteRead(message);
        if (closed || outcome !== undefined) return toRouter(outcome);
        const answerOr = (repeated: RepeatedRequest | undefined) => {
          const facts = repeated && !closed ? factsFor(repeated, message) : undefined;
          if (repeated === undefined || facts === undefined) return toRouter(undefined);
          if (message.method !== "HEAD" && response.shouldKeepAlive) knownBytes.add(message, bytes, facts);
          serve(repeated, facts, new ReadRequest(message, response, server.keepAliveTimeout, toRouter));
        };
        // If the body cannot be read, the router answers with the error.
        if (targets.mayBePosted(message)) {
          targets.findPosted(message, response).then(answerOr, () => toRouter(undefined));
        } else answerOr(targets.find(message));
      });
    },
    close() {
      closed = true;
    },
    whenIdle: () => knownBytes.whenIdle(),
  };
}

/** Whether the fast path can answer callers who present this session: for viewers only cached operations. */
function isFor({ loaders }: ServedTarget, sessionId: string): boolean {
  return sessionId === "" || loaders.forViewer !== undefined;
}
