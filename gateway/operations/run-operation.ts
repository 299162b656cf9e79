import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import {
  addressHeader,
  referenceHeader,
  sessionHeader,
  viewerHeader,
} from "../../services/platform/connect/identity.ts";
import { listsOf } from "../../services/platform/max-entries.ts";
import { badFields, malformedRequest, signInFirst } from "../http/errors/catalog.ts";
import { PublicError } from "../http/errors/public-error.ts";
import { beforeDeadline, type Deadline, deadlineAfter } from "../http/limits/deadline.ts";
import { entryMemory, shortList } from "../http/limits/limits.ts";
import type { LoadShedding } from "../http/load/load-shedding.ts";
import { acceptedEncoding } from "../http/replies/encoding.ts";
import type { Page } from "../http/replies/page.ts";
import { bodyOf } from "../http/requests/read-body.ts";
import type { Targets } from "../http/targets.ts";
import type { Reads } from "../reads/reads.ts";
import type { CallerHeader, Sessions } from "../sessions/sessions.ts";
import type { Operation } from "./operation-table.ts";

/** What operations need to run, the same for all. */
export interface OperationParts {
  sessions: Sessions;
  reads: Reads;
  load: LoadShedding;
  targets: Targets;
  /** Milliseconds from a request's arrival to its answer. */
  timeoutMs: number;
}

/** The answer of an operation: a page of the cache, or JSON that was made for this request. */
export type Answer = CachedAnswer | UncachedAnswer;

interface CachedAnswer {
  page: Page;
}

interface UncachedAnswer {
  /** The reply's JSON. */
  json: Buffer;
  /** The session header of the service; null when it has none. */
  session: string | null;
  /** What else the reply says in headers. */
  headers: Readonly<Record<string, string>>;
}

/** The header that names a write (contract §11.14). */
export const keyHeader = "idempotency-key";

/** What one request, or one item of a batch, asks for. */
interface Call {
  /** Whether it changes nothing. */
  isRead: boolean;
  operation: Operation;
  input: Message;
  request: FastifyRequest;
  /** Whether the answer is the whole reply. */
  isWhole: boolean;
  deadline: Deadline;
}

/**
 * Runs an operation: from the cache if it is a cached operation, else in its service. Rejects
 * with ConnectError, at the latest at the deadline of the request.
 * @param isWhole whether the answer is the whole reply, so that it may be compressed, and answered again without the router
 */
export async function runOperation(
  parts: OperationParts,
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  isWhole: boolean,
): Promise<Answer> {
  const { load, targets, timeoutMs } = parts;
  const failure = targets.failureOf(request.raw);
  if (failure !== undefined) throw failure;
  // Checked again, since other requests may have come while this one's body arrived.
  load.admit();
  const deadline = (request.context.deadline ??= deadlineAfter(timeoutMs));
  const memory = load.requests.open();
  memory.take(listMemory(operation, [input]));
  load.begin();
  try {
    const isRead = operation.reads(input);
    operation.gatewayFields.complete(input, request.headers[keyHeader]?.toString());
    return await answerByRules(parts, { operation, input, isRead, request, isWhole, deadline });
  } finally {
    load.end();
    memory.release();
  }
}

/** Bytes of memory that the lists of requests take until they are answered. A list that items of a batch share, as they share the query, counts once. */
export function listMemory({ method }: Operation, inputs: readonly Message[]): number {
  const counted = new Set<readonly unknown[]>();
  let sum = 0;
  for (const input of inputs) {
    let entries = 0;
    for (const list of listsOf(method.input, input)) {
      if (!counted.has(list)) entries += list.length;
      counted.add(list);
    }
    if (entries > shortList) sum += entryMemory * entries;
  }
  return sum;
}

/**
 * Checks the rules that need no service, so that they are also answered while a service is down. Where nothing is cached the service is
 * asked first: it also finds other errors, such as a taken name or a cursor of another list, and counts attempts to write.
 */
async function answerByRules(parts: OperationParts, call: Call): Promise<Answer> {
  const { operation, input, request, deadline, isRead } = call;
  const isCached = parts.reads.has(operation.name);
  if (isCached) refuseBroken(operation, input);
  if (operation.findsNothing(input)) {
    // The session's user makes no difference to this reply, and the account service may be down.
    request.context.hasViewer = parts.sessions.presented(request, isRead).id !== "";
    return { json: operation.emptyReply, session: null, headers: {} };
  }
  try {
    return await beforeDeadline<Answer>(deadline, isCached ? answerRead(parts, call) : answerCall(parts, call));
  } catch (error) {
    if (hasNoAnswer(error)) refuseBroken(operation, input);
    throw error;
  }
}

function refuseBroken({ checkRules }: Operation, input: Message): void {
  const bad = checkRules(input);
  if (bad.length > 0) throw badFields(bad);
}

/** Whether a service gave no answer. */
export function hasNoAnswer(error: unknown): boolean {
  return error instanceof ConnectError && noAnswerCodes.has(error.code);
}

const noAnswerCodes: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted]);

async function answerRead({ sessions, reads, targets }: OperationParts, call: Call): Promise<CachedAnswer> {
  const { operation, input, request, isWhole, deadline } = call;
  const { context, headers, raw } = request;
  const read = reads.prepare(operation.name, input);
  const { id } = sessions.presented(request, true);
  const isCompressible = isWhole && context.callback === undefined;
  const form = isCompressible ? acceptedEncoding(headers["accept-encoding"]) : "identity";
  const addTarget = () => {
    if (isWhole && operation.isStorable) targets.add(request, operation.name, read, bodyOf(raw));
  };
  try {
    const page = await read.answer(id, form, deadline);
    context.hasViewer = page.isPrivate;
    addTarget();
    return { page };
  } catch (error) {
    if (error instanceof PublicError) addTarget();
    throw error;
  }
}

async function answerCall({ sessions }: OperationParts, call: Call): Promise<UncachedAnswer> {
  const { operation, input, isRead, request, deadline } = call;
  const { gatewayFields } = operation;
  const caller = await sessions.identify(request, isRead, deadline);
  const viewerId = caller[viewerHeader];
  request.context.hasViewer = viewerId !== undefined;
  if (gatewayFields.hasActor && viewerId === undefined) throw signInFirst();
  const userId = viewerId === undefined ? undefined : BigInt(viewerId);
  gatewayFields.identify(input, userId, sessions.presented(request, isRead));
  const about = {
    ...headersFor(operation, request),
    ...addressFor(request),
    [referenceHeader]: request.id,
  };
  const { wire, header } = await operation.call(input, { ...caller, ...about }, deadline);
  return { json: operation.render(wire), session: header.get(sessionHeader), headers: operation.headersOf(wire) };
}

/** The request's headers that the operation takes, except those that are longer than any valid value: a service would answer 431. */
function headersFor({ headers }: Operation, request: FastifyRequest): CallerHeader {
  const given: Record<string, string> = {};
  for (const name of headers) {
    const value = request.headers[name];
    if (typeof value === "string" && value.length <= maxHeaderLength) given[name] = value;
  }
  return given;
}

/** Characters; an invitation has 43. */
const maxHeaderLength = 512;

/** The client's address, by which the services limit registrations, password checks and reads. @throws PublicError for a client that has disconnected */
function addressFor({ context: { address } }: FastifyRequest): CallerHeader {
  if (address === undefined) throw malformedRequest("The connection ended before the request began.");
  return { [addressHeader]: address };
}

/** The JSON of an answer that is not compressed. */
export function jsonOf(answer: Answer): Buffer {
  return "page" in answer ? answer.page.bytes : answer.json;
}

/** The session header of the service's answer; null when it has none. */
export function sessionHeaderOf(answer: Answer): string | null {
  return "page" in answer ? null : answer.session;
}
