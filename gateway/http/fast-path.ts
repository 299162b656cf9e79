// Most requests repeat: plain GETs of a few targets, or POSTs of a few short bodies. Routing, reading and binding them again is not
// needed, so the page of a target that was served before is loaded here, before Fastify sees the request. This file must not skip the
// freshness tokens (each request waits until they are confirmed or read), the request checks (known-targets.ts finds only requests that cannot fail
// them), the session, load shedding, the deadline, the metrics, the log and the span. Everything else goes to the router.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { Log } from "../../services/platform/log.ts";
import { inSpan, type Span } from "../../services/platform/tracing/span.ts";
import { PublicError } from "./errors/public-error.ts";
import { createKnownTargets, type KnownRequest, type KnownTarget, type KnownTargets } from "./known-targets.ts";
import { beforeDeadline, type Deadline } from "./limits/deadline.ts";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logFastPath } from "./log/request-log.ts";
import type { RequestMetrics } from "./log/request-metrics.ts";
import type { RequestSpans } from "./log/request-spans.ts";
import { acceptedEncoding } from "./replies/encoding.ts";
import { type Page, type PageForm, refusalPage } from "./replies/page.ts";
import { type HeldReply, LeftToRouter, type RememberedStates, type ViewerReply } from "./replies/page-loaders.ts";
import { sendPlainPage, sendScript } from "./replies/send-page.ts";
import { interceptRequests } from "./requests/intercept-requests.ts";

/**
 * Answers GETs and HEADs of targets that were served before: the same target without a body is the same request, under any callback.
 * And POSTs to targets that were served before with the same short body, batches too.
 */
export interface FastPath extends Pick<KnownTargets, "remember"> {
  /** Why the fast path failed to answer a request; `runOperation` then fails with that, and asks no service again. */
  failureOf(request: IncomingMessage): unknown;
  /** The deadline of a request that the fast path left to the router when it had waited already. */
  deadlineOf(request: IncomingMessage): Deadline | undefined;
  /** Puts the fast path before the server's own request listener. */
  install(server: Server): void;
  /** From now on every request goes to the router, which tells clients that their connection ends. */
  close(): void;
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

/** Finds out who calls. */
export interface Callers {
  /** The session id that a request for a read presents, "" for none; undefined where its headers alone do not tell. */
  sessionOf(headers: IncomingHttpHeaders): string | undefined;
  /** The user id of a session, undefined for one that is over. Rejects with ConnectError. */
  findUser(sessionId: string, deadline: Deadline): Promise<string | undefined>;
  /** A session whose user was found before, which may have ended since; undefined where that is not remembered. */
  recall(sessionId: string): KnownSession | undefined;
}

/** A session whose user was found before. */
export interface KnownSession extends Pick<RememberedStates, "confirm"> {
  /** A session never changes its user. */
  readonly user: string;
  /** Whether it is still open, as far as that is remembered: counts for a request once `confirm` has resolved. */
  isOpen(): boolean;
}

/** A request that is being answered. */
interface Exchange {
  known: KnownTarget;
  callback: string | undefined;
  /** "": the caller is anonymous. */
  sessionId: string;
  session: KnownSession | undefined;
  /** To the user of that session. */
  reply: ViewerReply | undefined;
  form: PageForm;
  request: IncomingMessage;
  response: ServerResponse;
  /** When the request came, by performance.now(). */
  start: number;
  deadline: Deadline;
  span: Span | undefined;
  toRouter(): void;
}

export function createFastPath({ log, load, requests, timeoutMs, spans, callers }: FastPathParts): FastPath {
  const targets = createKnownTargets(load, requests);
  const failures = new WeakMap<IncomingMessage, unknown>();
  const deadlines = new WeakMap<IncomingMessage, Deadline>();
  let closed = false;

  /** @param reply a page, or a cached refusal */
  function answer({ known, callback, request, response, start }: Exchange, reply: Page | PublicError): void {
    const { operation, tally } = known;
    const error = reply instanceof PublicError ? reply : undefined;
    if (log.isLevelEnabled("info")) {
      const errorCode = error?.responseStatus.errorCode;
      logFastPath(log, { operation, callback, errorCode }, request, response, start);
    }
    const page = reply instanceof PublicError ? refusalPage(reply) : reply;
    const status =
      callback === undefined
        ? sendPlainPage(page, request, response, error?.status)
        : sendScript(page, callback, request, response);
    tally.note(error?.status ?? status, performance.now() - start);
    spans?.end(request, operation, status);
  }

  /** @param states to show to the user of the session, which is open then */
  async function loadFor(exchange: Exchange, states?: readonly string[]): Promise<Page> {
    const { sessionId, session, reply, form, deadline } = exchange;
    if (reply !== undefined && states !== undefined) return reply.load(deadline, states);
    // Asked for together with the session's user, so that a read waits for Redis once.
    const asked = reply?.states.read(deadline);
    // Awaited only if the session is still open.
    asked?.catch(() => {});
    const { anonymous, viewer: replies } = exchange.known.loaders;
    const viewer = await callers.findUser(sessionId, deadline);
    if (viewer === undefined || replies === undefined) return anonymous.load(form, deadline);
    return viewer === session?.user && reply ? reply.load(deadline, asked) : replies(viewer).load(deadline);
  }

  /** The router answers with this error; it can still read the whole request. */
  function fail({ request, toRouter }: Exchange, error: unknown): void {
    failures.set(request, error);
    toRouter();
  }

  /** @param states to show, where they are known for this request */
  function loadAndAnswer(exchange: Exchange, states?: readonly string[]): void {
    const { known, sessionId, form, deadline, span, toRouter } = exchange;
    const found = inSpan(span, () =>
      sessionId === "" ? known.loaders.anonymous.load(form, deadline, states) : loadFor(exchange, states),
    );
    if (!(found instanceof Promise)) return answer(exchange, found);
    load.begin();
    beforeDeadline(deadline, found).then(
      (page) => {
        load.end();
        answer(exchange, page);
      },
      (error: unknown) => {
        load.end();
        if (error instanceof PublicError) return answer(exchange, error);
        if (error instanceof LeftToRouter) {
          deadlines.set(exchange.request, deadline);
          return toRouter();
        }
        fail(exchange, error);
      },
    );
  }

  /** Answers with what is remembered, once that is confirmed. */
  function answerHeld(exchange: Exchange, held: HeldReply): void {
    const { session } = exchange;
    let shown: readonly string[] | undefined;
    let reply: Page | PublicError | undefined;
    try {
      shown = session === undefined || session.isOpen() ? held.states.remembered() : undefined;
      reply = shown && held.find(shown, exchange.form);
    } catch (error) {
      return fail(exchange, error);
    }
    if (reply === undefined) loadAndAnswer(exchange, shown);
    else answer(exchange, reply);
  }

  /** Most replies are in this process: without a load, its promises and its timer a request costs a tenth less. */
  function serve(
    { known, callback }: KnownRequest,
    request: IncomingMessage,
    response: ServerResponse,
    toRouter: () => void,
  ) {
    // JSONP calls are anonymous.
    const sessionId = callback === undefined ? callers.sessionOf(request.headers) : "";
    if (sessionId === undefined || (sessionId !== "" && known.loaders.viewer === undefined)) return toRouter();
    const form: PageForm = callback === undefined ? acceptedEncoding(request.headers["accept-encoding"]) : "script";
    const start = performance.now();
    const deadline = start + timeoutMs;
    const span = spans?.of(request);
    const session = sessionId === "" ? undefined : callers.recall(sessionId);
    const reply = session && known.loaders.viewer?.(session.user);
    const exchange: Exchange = {
      known,
      callback,
      sessionId,
      session,
      reply,
      form,
      request,
      response,
      start,
      deadline,
      span,
      toRouter,
    };
    const held = sessionId === "" ? known.loaders.anonymous.held : reply;
    // No timer for each request: its batch ends by its own deadline, at most 0.1 s later.
    const confirmed =
      held && inSpan(span, () => (session ? session.confirm(deadline, held.states) : held.states.confirm(deadline)));
    if (held === undefined || confirmed === undefined) return loadAndAnswer(exchange);
    load.begin();
    confirmed.then(
      () => {
        load.end();
        answerHeld(exchange, held);
      },
      (error: unknown) => {
        load.end();
        fail(exchange, error);
      },
    );
  }

  return {
    remember: targets.remember,
    failureOf: (request) => failures.get(request),
    deadlineOf: (request) => deadlines.get(request),
    install(server) {
      interceptRequests(server, (route) => (request, response) => {
        const toRouter = () => route(request, response);
        if (closed) return toRouter();
        const answerOr = (known: KnownRequest | undefined) =>
          known === undefined || closed ? toRouter() : serve(known, request, response, toRouter);
        // If the body cannot be read, the router answers with the error.
        if (targets.mayBePosted(request)) targets.findPosted(request, response).then(answerOr, toRouter);
        else answerOr(targets.find(request));
      });
    },
    close() {
      closed = true;
    },
  };
}
