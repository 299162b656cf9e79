// Most requests repeat earlier ones. A GET of a target that was answered before, or a POST of the same short body, needs no routing,
// reading and binding: this file finds what was prepared for it and answers it. Everything else goes to the router. What must not be
// skipped: the request checks (only requests that pass all of them are found), load shedding, the metrics, the log and the span.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Log } from "../../services/platform/log.ts";
import { inSpan } from "../../services/platform/tracing/span.ts";
import { isCallbackName } from "../rendering/jsonp.ts";
import { PublicError } from "./errors/public-error.ts";
import { type Deadline, deadlineAfter } from "./limits/deadline.ts";
import { maxUrlLength, shortBodyBytes } from "./limits/limits.ts";
import type { LoadShedding } from "./load/load-shedding.ts";
import { logFastPath } from "./log/request-log.ts";
import type { RequestMetrics, RequestTally } from "./log/request-metrics.ts";
import type { RequestSpans } from "./log/request-spans.ts";
import { withOrigin } from "./replies/common-headers.ts";
import { acceptedEncoding, type PageForm } from "./replies/encoding.ts";
import { isKnown } from "./replies/entity-tag.ts";
import { type Page, refusalPage, refusalScript } from "./replies/page.ts";
import { interceptRequests } from "./requests/intercept-requests.ts";
import { readBody } from "./requests/read-body.ts";
import { meetsRules } from "./requests/request-rules.ts";

/** A request that can be answered any number of times. */
export interface Answerable {
  /**
   * Rejects with ConnectError, or with PublicError for a refusal that is stored.
   * @param sessionId as it was presented, valid or not; "" for none
   */
  answer(sessionId: string, form: PageForm, deadline: Deadline): Promise<Page>;
}

/** The targets that were answered before. */
export interface Targets {
  /** To be called after a request was answered by the router. @param body undefined for a request without one */
  add(request: FastifyRequest, operation: string, answerable: Answerable, body: Buffer | undefined): void;
  /** The error with which a request failed here: the router answers with it, and asks no service again. */
  failureOf(request: IncomingMessage): unknown;
  /** Puts this before the server's own request listener. */
  install(server: Server): void;
  /** Sends every request to the router from now on; the router tells clients that their connection ends. */
  close(): void;
}

export interface TargetParts {
  log: Log;
  load: LoadShedding;
  requests: RequestMetrics;
  /** Milliseconds in which a request is to be answered. */
  timeoutMs: number;
  spans: RequestSpans | undefined;
  /** The session id that a read presents, "" for none; undefined where its headers do not suffice to tell. */
  sessionOf(request: IncomingMessage): string | undefined;
}

export function createTargets(parts: TargetParts): Targets {
  const { load, requests } = parts;
  const targets = new LRUCache<string, Target>({
    maxSize: maxBytes,
    // With a list of 100 names a read takes up to 20 KB, which its target tells.
    sizeCalculation: (_target, key) => 1_500 + 6 * key.length,
  });
  /** Targets of POSTs that were answered: only for these a body is read here. */
  const posted = new LRUCache<string, true>({ max: 1_000 });
  const failures = new WeakMap<IncomingMessage, unknown>();
  let isClosed = false;

  function find(key: string): FoundTarget | undefined {
    const target = targets.get(key);
    if (target !== undefined) return { target, callback: undefined };
    const call = jsonpTarget(key);
    const wrapped = call && targets.get(call.target);
    return wrapped && { target: wrapped, callback: call.callback };
  }

  async function findPosted(request: IncomingMessage, response: ServerResponse): Promise<FoundTarget | undefined> {
    const body = await readBody(request, response, load.bodies);
    const target = targets.get(keyOf(request.url as string, request, body));
    return target && { target, callback: undefined };
  }

  return {
    add({ raw: request, originalUrl: url, context }, operation, answerable, body) {
      if (url.length > maxTargetLength) return;
      const target = { operation, tally: requests.of(operation), answerable };
      if (body === undefined && request.method === "GET" && isBare(request)) {
        const plain = context.callback === undefined ? url : jsonpTarget(url)?.target;
        if (plain !== undefined) targets.set(plain, target);
      } else if (body !== undefined && context.callback === undefined && isShortPost(request)) {
        posted.set(url, true);
        targets.set(keyOf(url, request, body), target);
      }
    },
    failureOf: (request) => failures.get(request),
    install(server) {
      interceptRequests(server, (route) => (request, response) => {
        const toRouter = () => route(request, response);
        if (isClosed || load.isOverloaded() || !meetsRules(request)) return toRouter();
        const answerOr = (found: FoundTarget | undefined) => {
          const sessionId = found?.callback === undefined ? parts.sessionOf(request) : "";
          if (found === undefined || isClosed || sessionId === undefined) return toRouter();
          answerFound(found, sessionId, request, response, (failure) => {
            failures.set(request, failure);
            toRouter();
          });
        };
        const { method = "", url = "" } = request;
        if ((method === "GET" || method === "HEAD") && isBare(request)) return answerOr(find(url));
        if (!isShortPost(request) || !posted.has(url)) return toRouter();
        // If the body cannot be read, the router answers with the error.
        findPosted(request, response).then(answerOr, toRouter);
      });
    },
    close() {
      isClosed = true;
    },
  };

  /** @param fail leaves the request to the router, with the error to answer with */
  function answerFound(
    { target, callback }: FoundTarget,
    sessionId: string,
    request: IncomingMessage,
    response: ServerResponse,
    fail: (error: unknown) => void,
  ): void {
    const { operation, tally, answerable } = target;
    const { log, timeoutMs, spans } = parts;
    const { method = "", headers } = request;
    const start = performance.now();
    const span = spans?.of(request);
    const form = callback === undefined ? acceptedEncoding(headers["accept-encoding"]) : "script";
    const send = (page: Page, error?: PublicError) => {
      load.end();
      const errorCode = error?.responseStatus.errorCode;
      if (log.isLevelEnabled("info")) {
        const logged = { operation, callback, errorCode, method, trace: span?.traceId };
        logFastPath(log, logged, start, request, response);
      }
      const wanted = { method, origin: headers.origin, ifNoneMatch: headers["if-none-match"], callback };
      const status = sendPage(page, wanted, response, error?.status);
      tally.note(error?.status ?? status, performance.now() - start);
      spans?.end(request, operation, status);
    };
    load.begin();
    inSpan(span, () => answerable.answer(sessionId, form, deadlineAfter(timeoutMs))).then(
      (page) => send(page),
      (error: unknown) => {
        if (error instanceof PublicError) {
          return send(callback === undefined ? refusalPage(error) : refusalScript(error), error);
        }
        load.end();
        fail(error);
      },
    );
  }
}

interface Target {
  operation: string;
  tally: RequestTally;
  answerable: Answerable;
}

interface FoundTarget {
  target: Target;
  /** The function that the reply is wrapped into, when this is a JSONP call. */
  callback: string | undefined;
}

/** A target has no line break, so that keys are unambiguous. */
function keyOf(url: string, request: IncomingMessage, body: Buffer): string {
  return `${url}\n${typedBody(request.headers, body)}`;
}

/** Whether a request has no body. */
function isBare({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

/** Bytes of all targets. */
const maxBytes = 5 * 1024 * 1024;

/** Characters of a target: 100 names of 36 characters. */
const maxTargetLength = 4 * 1024;

/** What a request asks of its reply. */
interface WantedReply {
  method: string;
  origin: string | undefined;
  ifNoneMatch: string | undefined;
  /** Of a JSONP call, of ASCII characters; then the page is a script. */
  callback: string | undefined;
}

/**
 * Sends a page past the router, or a 304 if the client has it. Returns the status.
 * @param status of a refusal: then there is no 304
 */
function sendPage(page: Page, wanted: WantedReply, response: ServerResponse, status = 200): number {
  const { method, origin, ifNoneMatch, callback } = wanted;
  const headFor = (head: readonly string[]) => (origin === undefined ? [...head] : withOrigin(head, origin));
  if (callback !== undefined) {
    const start = `${callback}(`;
    const length = `${start.length + page.bytes.length}`;
    response.writeHead(200, [...headFor(page.head), "Content-Length", length]);
    response.cork();
    if (method !== "HEAD") response.write(start, "latin1");
    response.end(page.bytes);
    return 200;
  }
  if (status === 200 && method !== "POST" && isKnown(ifNoneMatch, page.etag)) {
    response.writeHead(304, headFor(page.notModifiedHead)).end();
    return 304;
  }
  response.writeHead(status, headFor(page.head)).end(page.bytes);
  return status;
}

/** Whether a request is a POST with a short Content-Length and without a coding. */
function isShortPost({ method, headers }: IncomingMessage): boolean {
  return (
    method === "POST" &&
    Number(headers["content-length"] ?? shortBodyBytes + 1) <= shortBodyBytes &&
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined
  );
}

/** A body with its content type: requests with equal texts have equal bodies. */
function typedBody({ "content-type": type = "" }: IncomingHttpHeaders, body: Buffer): string {
  return `${type}\n${body.toString("latin1")}`;
}

/** The parts of a JSONP call. */
interface JsonpTarget {
  /** The target without what clients add for JSONP. */
  target: string;
  callback: string;
}

/**
 * Splits a JSONP call into the function's name and the target of the same reply without JSONP. The target loses its one
 * `callback=NAME`, and the one `_=NUMBER` of at most 20 digits that jQuery adds against caches. So it is about as long as the call,
 * which V8 may keep in memory for a stored target. undefined for calls of another form, which the router reads, and for a name that
 * is not allowed.
 */
function jsonpTarget(url: string): JsonpTarget | undefined {
  const mark = url.indexOf("?");
  if (mark === -1 || !url.includes("callback=", mark) || url.includes("#") || url.length > maxUrlLength)
    return undefined;
  let callback: string | undefined;
  let hasNumber = false;
  const others: string[] = [];
  for (const pair of url.slice(mark + 1).split("&")) {
    if (/^_=\d{0,20}$/.test(pair) && !hasNumber) hasNumber = true;
    else if (pair.startsWith("callback=")) {
      if (callback !== undefined) return undefined;
      callback = pair.slice("callback=".length);
    } else if (isOther(pair)) others.push(pair);
    else return undefined;
  }
  // The router reads percent-encoded names and those with other than ASCII characters.
  if (callback === undefined || !/^[\w$.]+$/.test(callback) || !isCallbackName(callback)) return undefined;
  const query = others.length === 0 ? "" : `?${others.join("&")}`;
  return { target: url.slice(0, mark) + query, callback };
}

/** Whether a pair's name is spelled out, and is not `callback` in other letters. */
function isOther(pair: string): boolean {
  const name = /^\w+(?==|$)/.exec(pair)?.[0];
  return name !== undefined && name.toLowerCase() !== "callback";
}
