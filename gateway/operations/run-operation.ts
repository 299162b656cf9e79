import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { addressHeader, referenceHeader, viewerHeader } from "../../services/platform/connect/identity.ts";
import type { KeptReads } from "../cache/cached-operations.ts";
import { brokenRules } from "../http/errors/catalog.ts";
import { beforeDeadline, type Deadline, deadlineAfter } from "../http/limits/deadline.ts";
import type { Load } from "../http/load/load-shedding.ts";
import { acceptedEncoding } from "../http/replies/encoding.ts";
import type { LoadPage, Page } from "../http/replies/page.ts";
import type { CookieTrust } from "../sessions/cookie-trust.ts";
import { type CallerHeader, type IdentifyCaller, presentsSession } from "../sessions/identify-caller.ts";
import { sessionCookie, sessionHeader } from "../sessions/session-cookie.ts";
import type { Operation } from "./operation-table.ts";

declare module "fastify" {
  interface FastifyInstance {
    identifyCaller: IdentifyCaller;
    cookieTrust: (request: FastifyRequest) => CookieTrust;
    keptReads: KeptReads["reads"];
    load: Load;
    /** Milliseconds in which a request that has arrived is to be answered. */
    serviceTimeoutMs: number;
  }
  interface FastifyRequest {
    /** Whether the reply shows what a signed-in caller may see. */
    hasViewer: boolean;
    /** Set when it runs; all items of a batch have the same. */
    deadline: Deadline | undefined;
  }
}

/** What an operation answered: a kept page, or text that was made for this request. */
export type Answer = KeptAnswer | FreshAnswer;

/** What the items of a batch answered, each as it is sent. */
export interface BatchAnswer {
  items: readonly Buffer[];
  /** Names them all. */
  tag: string;
}

interface KeptAnswer {
  page: Page;
  /** What the request asks for, so that the same target need not be understood again. */
  prepared: LoadPage;
}

interface FreshAnswer {
  /** The reply's JSON. */
  json: string;
  /** The session that the call signed in, as the service says it; null when it did not. */
  session: string | null;
}

/**
 * Runs an operation: from its cached replies where it is an anonymous read, else in its service. Rejects with ConnectError,
 * at the deadline of the request at the latest.
 * @param isWhole whether the answer is the whole reply, so that it may come compressed
 */
export async function callService(
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  isWhole: boolean,
): Promise<Answer> {
  const { load, shortcut, serviceTimeoutMs } = request.server;
  const failure = shortcut.failureOf(request.raw);
  if (failure !== undefined) throw failure;
  // Others may have come while this one's body arrived.
  load.admit();
  request.deadline ??= deadlineAfter(serviceTimeoutMs);
  load.begin();
  try {
    return await answerByRules(operation, input, request, isWhole, request.deadline);
  } finally {
    load.end();
  }
}

/**
 * Decides what the request alone decides, also while a service is down. Of a write the service is asked first: it tells at
 * once what else is wrong, such as a name that is taken, and counts the attempt.
 */
async function answerByRules(
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  isWhole: boolean,
  deadline: Deadline,
): Promise<Answer> {
  if (operation.isRead) refuseBroken(operation, input);
  if (operation.findsNothing(input)) {
    // Whose session it is makes no difference, and may not be known at the moment.
    request.hasViewer = presentsSession(request, operation.isRead);
    return { json: operation.emptyReply, session: null };
  }
  try {
    return await beforeDeadline(deadline, answer(operation, input, request, isWhole, deadline));
  } catch (error) {
    if (isAway(error)) refuseBroken(operation, input);
    throw error;
  }
}

function refuseBroken({ checkRules }: Operation, input: Message): void {
  const bad = checkRules(input);
  if (bad.length > 0) throw brokenRules(bad);
}

/** Whether a service gave no answer. */
function isAway(error: unknown): boolean {
  return error instanceof ConnectError && awayCodes.has(error.code);
}

const awayCodes: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted]);

async function answer(
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  isWhole: boolean,
  deadline: Deadline,
): Promise<Answer> {
  const caller = await request.server.identifyCaller(request, operation.isRead, deadline);
  request.hasViewer = caller[viewerHeader] !== undefined;
  const prepared = request.hasViewer ? undefined : request.server.keptReads.get(operation.name)?.(input);
  if (prepared === undefined) {
    const about = { ...addressFor(operation, request), [referenceHeader]: request.id };
    return callAlways(operation, input, { ...caller, ...about }, deadline);
  }
  const compressible = isWhole && request.callback === undefined;
  const encoding = compressible ? acceptedEncoding(request.headers["accept-encoding"]) : "identity";
  return { page: await prepared(encoding, deadline), prepared };
}

async function callAlways(
  operation: Operation,
  input: Message,
  caller: CallerHeader,
  deadline: Deadline,
): Promise<FreshAnswer> {
  const { message, header } = await operation.call(input, caller, deadline);
  return { json: operation.render(message), session: header.get(sessionHeader) };
}

/** Where a write comes from: services limit by it. A read is nobody's business. */
function addressFor({ isRead }: Operation, { ip }: FastifyRequest): CallerHeader {
  return isRead ? {} : { [addressHeader]: ip };
}

/** The JSON of an answer that is not compressed. */
export function jsonOf(answer: Answer): string {
  return "page" in answer ? answer.page.bytes.toString() : answer.json;
}

/** The session that an answer signed in, as the service says it; null when it did not. */
export function sessionOf(answer: Answer): string | null {
  return "page" in answer ? null : answer.session;
}

/**
 * Makes the session of an answer the caller's cookie, once the whole request has succeeded; not where a page of another site
 * may have made the request (contract §10.3).
 */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, session: string | null): void {
  // Any page may load a script: a JSONP call signs nobody in, whatever the service made of it.
  if (session === null || request.callback !== undefined) return;
  if (!request.server.cookieTrust(request).countsForWrite) return;
  reply.header("set-cookie", sessionCookie(session, request.protocol === "https"));
}
