// Most requests repeat earlier ones: plain GETs of a few targets, or POSTs of a few short bodies. They need not be routed, read and bound
// again, so this file loads the page of a target that was served before, before Fastify sees the request. It must not skip the freshness
// tokens (each request waits until they are confirmed or read), the request checks (served-targets.ts finds only requests that pass all of
// them), the session, load shedding, the deadline, the metrics, the log and the span. Every other request goes to the router.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../../services/platform/log.ts";
import { inSpan, type Span } from "../../../services/platform/tracing/span.ts";
import { AssembledBytes } from "../../rendering/assembled-bytes.ts";
import { PublicError } from "../errors/public-error.ts";
import { beforeDeadline, type Deadline } from "../limits/deadline.ts";
import type { LoadShedding } from "../load/load-shedding.ts";
import { logFastPath } from "../log/request-log.ts";
import type { RequestMetrics } from "../log/request-metrics.ts";
import type { RequestSpans } from "../log/request-spans.ts";
import { mayAssemble } from "../replies/assembled-replies.ts";
import type { Encoding } from "../replies/encoding.ts";
import { type Page, refusalPage } from "../replies/page.ts";
import { type LocalReply, NeedsRouter, type ViewerReply } from "../replies/reply-loaders.ts";
import { sendPlainPage, sendScript } from "../replies/send-page.ts";
import { interceptRequests } from "../requests/intercept-requests.ts";
import type { ClosingReply } from "../requests/once-closed.ts";
import type { LastRequests } from "../sockets/last-requests.ts";
import type { Callers, RememberedSession } from "./callers.ts";
import { type FastRequest, factsOf, type Outcome, ReadRequest, type RequestFacts } from "./fast-request.ts";
import { type RepeatedBytes, readRepeatedBytes } from "./repeated-bytes.ts";
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

export interface FastPathParts {
  log: Log;
  /** Under overload every request goes to the router, which refuses it. */
  load: LoadShedding;
  requests: RequestMetrics;
  /** Milliseconds in which a request is to be answered. */
  timeoutMs: number;
  /** Of requests, when they are traced. */
  spans: RequestSpans | undefined;
  callers: Callers;
}

/** A request that is being answered. */
interface PendingRequest extends Omit<RepeatedRequest, "key"> {
  facts: RequestFacts;
  session: RememberedSession | undefined;
  /** The reply to the user of that session. */
  reply: ViewerReply | undefined;
  request: FastRequest;
  /** When the request came, by performance.now(). */
  start: number;
  deadline: Deadline;
  span: Span | undefined;
}

export function createFastPath({ log, load, requests, timeoutMs, spans, callers }: FastPathParts): FastPath {
  const targets = createServedTargets(load, requests);
  const outcomes = new WeakMap<IncomingMessage, Outcome>();
  let closed = false;
  let knownBytes: RepeatedBytes;

  /** @param reply a page, or a cached refusal */
  function answer(pending: PendingRequest, reply: Page | PublicError): void {
    const { served, callback, facts, request, start, deadline } = pending;
    const { operation, tally } = served;
    // The router sends it in parts.
    if (!mayAssemble() && !(reply instanceof PublicError) && reply.bytes instanceof AssembledBytes) {
      return leaveToRouter(pending, { deadline });
    }
    const error = reply instanceof PublicError ? reply : undefined;
    if (log.isLevelEnabled("info")) {
      const errorCode = error?.responseStatus.errorCode;
      logFastPath(log, { operation, callback, errorCode, method: facts.method }, start, request);
    }
    const page = reply instanceof PublicError ? refusalPage(reply) : reply;
    const status =
      callback === undefined
        ? sendPlainPage(page, facts, request, error?.status)
        : sendScript(page, callback, facts.origin, request);
    tally.note(error?.status ?? status, performance.now() - start);
    if (request.message !== undefined) spans?.end(request.message, operation, status);
  }

  /** @param states the states to show; undefined where the session's user has to be found first */
  async function loadFor(pending: PendingRequest, states?: readonly string[]): Promise<Page> {
    const { session, reply, deadline } = pending;
    const { sessionId } = pending.facts;
    // JSONP calls are anonymous.
    const encoding = pending.facts.form as Encoding;
    if (reply !== undefined && states !== undefined) return reply.load(encoding, deadline, states);
    // Read while the session's token is read, so that a request waits for Redis once.
    const asked = reply?.states.read(deadline);
    // Awaited only if the session is still open.
    asked?.catch(() => {});
    const { anonymous, forViewer } = pending.served.loaders;
    const viewerId = await callers.findUser(sessionId, deadline);
    if (viewerId === undefined || forViewer === undefined) return anonymous.load(encoding, deadline);
    if (viewerId !== session?.user || reply === undefined) return forViewer(viewerId).load(encoding, deadline);
    return reply.load(encoding, deadline, asked);
  }

  function leaveToRouter({ served, callback, facts, request, start }: PendingRequest, outcome: Outcome): void {
    if (request.route(outcome)) return;
    const { operation, tally } = served;
    logFastPath(log, { operation, callback, errorCode: undefined, method: facts.method }, start, clientHasLeft);
    tally.note(0, performance.now() - start);
  }

  /** @param states to show, where they were read or confirmed for this request */
  function loadAndAnswer(pending: PendingRequest, states?: readonly string[]): void {
    const { served, deadline, span } = pending;
    const { sessionId, form } = pending.facts;
    const found = inSpan(span, () =>
      sessionId === "" ? served.loaders.anonymous.load(form, deadline, states) : loadFor(pending, states),
    );
    if (!(found instanceof Promise)) return answer(pending, found);
    load.begin();
    beforeDeadline(deadline, found).then(
      (page) => {
        load.end();
        answer(pending, page);
      },
      (error: unknown) => {
        load.end();
        if (error instanceof PublicError) return answer(pending, error);
        leaveToRouter(pending, error instanceof NeedsRouter ? { deadline } : { failure: error });
      },
    );
  }

  /** Answers with the local reply in the states that were confirmed or read; loads where there is none. */
  function answerLocally(pending: PendingRequest, local: LocalReply): void {
    const { session } = pending;
    let shown: readonly string[] | undefined;
    let reply: Page | PublicError | undefined;
    try {
      shown = session === undefined || session.isOpen() ? local.states.remembered() : undefined;
      reply = shown && local.find(shown, pending.facts.form);
    } catch (error) {
      return leaveToRouter(pending, { failure: error });
    }
    if (reply === undefined) loadAndAnswer(pending, shown);
    else answer(pending, reply);
  }

  /** Answers most requests with a local reply, without a load: its promises and its timer cost a tenth of a request. */
  function serve({ served, callback }: RepeatedRequest, facts: RequestFacts, request: FastRequest): void {
    const { sessionId } = facts;
    const start = performance.now();
    const deadline = start + timeoutMs;
    const span = request.message && spans?.of(request.message);
    const session = sessionId === "" ? undefined : callers.findRemembered(sessionId);
    const reply = session && served.loaders.forViewer?.(session.user);
    const pending: PendingRequest = { served, callback, facts, session, reply, request, start, deadline, span };
    const local = sessionId === "" ? served.loaders.anonymous.local : reply;
    // No timer for each request: the deadline of its batch ends the wait, at most 0.1 s late.
    const confirmed =
      local && inSpan(span, () => (session ? session.confirm(deadline, local.states) : local.states.confirm(deadline)));
    if (local === undefined || confirmed === undefined) return loadAndAnswer(pending);
    load.begin();
    confirmed.then(
      () => {
        load.end();
        answerLocally(pending, local);
      },
      (error: unknown) => {
        load.end();
        leaveToRouter(pending, { failure: error });
      },
    );
  }

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

const clientHasLeft: ClosingReply = { onceClosed: (action) => action(false, 0) };
