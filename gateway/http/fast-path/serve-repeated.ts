import type { Log } from "../../../services/platform/log.ts";
import { inSpan, type Span } from "../../../services/platform/tracing/span.ts";
import { AssembledBytes } from "../../rendering/assembled-bytes.ts";
import { PublicError } from "../errors/public-error.ts";
import { beforeDeadline, type Deadline } from "../limits/deadline.ts";
import type { LoadShedding } from "../load/load-shedding.ts";
import { logFastPath } from "../log/request-log.ts";
import type { RequestSpans } from "../log/request-spans.ts";
import { mayAssemble } from "../replies/assembled-replies.ts";
import type { Encoding } from "../replies/encoding.ts";
import { type Page, refusalPage } from "../replies/page.ts";
import { type LocalReply, NeedsRouter, type ViewerReply } from "../replies/reply-loaders.ts";
import { sendPlainPage, sendScript } from "../replies/send-page.ts";
import type { ClosingReply } from "../requests/once-closed.ts";
import type { Callers, RememberedSession } from "./callers.ts";
import type { FastRequest, Outcome, RequestFacts } from "./fast-request.ts";
import type { RepeatedRequest } from "./served-targets.ts";

export interface ServeParts {
  log: Log;
  load: Pick<LoadShedding, "begin" | "end">;
  /** Milliseconds in which a request is to be answered. */
  timeoutMs: number;
  /** Of requests, when they are traced. */
  spans: RequestSpans | undefined;
  callers: Callers;
}

/** Answers a request for a served target, or leaves it to the router. */
export type ServeRepeated = (repeated: RepeatedRequest, facts: RequestFacts, request: FastRequest) => void;

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

export function serveRepeated({ log, load, timeoutMs, spans, callers }: ServeParts): ServeRepeated {
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
  return ({ served, callback }, facts, request) => {
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
  };
}

const clientHasLeft: ClosingReply = { onceClosed: (action) => action(false, 0) };
