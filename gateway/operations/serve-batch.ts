import type { Message } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chunkBySize } from "../../services/platform/chunk.ts";
import { countEntries } from "../../services/platform/max-entries.ts";
import type { JsonObject } from "../binding/compile-binder.ts";
import { severalWrites, unreadable } from "../http/errors/catalog.ts";
import { beforeDeadline, deadlineAfter } from "../http/limits/deadline.ts";
import { itemMemory, maxBatchEntriesAtOnce, maxBatchReadsAtOnce, maxBatchSize } from "../http/limits/limits.ts";
import { entityTag, tagWithBody } from "../http/replies/entity-tag.ts";
import type { Pairs } from "../http/requests/form-pairs.ts";
import { onceClosed } from "../http/requests/once-closed.ts";
import { bodyOf } from "../http/requests/read-body.ts";
import { createScriptEscaper } from "../rendering/jsonp.ts";
import type { Operation } from "./operation-table.ts";
import { isJsonObject, readSources } from "./read-sources.ts";
import { jsonOf, keyHeader, listMemory, type OperationParts, runOperation, sessionHeaderOf } from "./run-operation.ts";
import type { Send } from "./send-reply.ts";

/**
 * Serves a JSON array of requests with an array of responses, as ServiceStack does (contract §1): every item is read before the
 * first one runs, and the first error is the error of the call. X-AutoBatch-Completed counts the items before it. Items run one after
 * the other; those of a cached operation, which change nothing, run several at a time, so that their versions and pages are asked for
 * together.
 */
export async function serveBatch(
  parts: OperationParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send,
): Promise<FastifyReply> {
  request.context.operation = operation.name;
  const { json, query } = await readSources(request, reply, operation, parts.load);
  if (operation.gatewayFields.hasRequestId && request.headers[keyHeader]) throw severalWrites();
  const objects = batchItems(json);
  const memory = parts.load.requests.open();
  const share = parts.load.batches.open();
  onceClosed(request.raw, reply.raw, () => {
    memory.release();
    share.release();
  });
  memory.take(itemMemory * objects.length);
  const inputs = await bindItems(operation, objects, query);
  memory.take(listMemory(operation, inputs));
  const deadline = deadlineAfter(parts.timeoutMs);
  request.context.deadline = deadline;
  const escape = request.context.callback === undefined ? undefined : createScriptEscaper();
  /** Items with the same page have the same bytes, which are in memory once. */
  const counted = new Set<Buffer>();
  const items: Buffer[] = [];
  const hasTag = operation.isStorable && escape === undefined;
  const tags: string[] = [];
  let signedIn: string | null = null;
  reply.header(completedHeader, "0");
  const isCached = parts.reads.has(operation.name);
  const run = async (input: Message) => {
    // The items of other batches may use up the time.
    const answer = await beforeDeadline(
      deadline,
      parts.load.runBatchItem(operation.transport, isCached, () =>
        runOperation(parts, operation, input, request, false),
      ),
    );
    const json = jsonOf(answer);
    const bytes = (await escape?.(json)) ?? json;
    if (!counted.has(bytes)) share.take(bytes.length);
    counted.add(bytes);
    return { answer, bytes };
  };
  const entriesOf = (input: Message) => countEntries(operation.method.input, input);
  const atOnce = isCached ? maxBatchReadsAtOnce : 1;
  for await (const { answer, bytes } of inTurn(chunkBySize(inputs, entriesOf, atOnce, maxBatchEntriesAtOnce), run)) {
    items.push(bytes);
    // Item by item: a hash over 34 MB would block the event loop for 50 ms.
    if (hasTag) tags.push("page" in answer ? answer.page.etag : entityTag(answer.json));
    reply.header(completedHeader, `${items.length}`);
    // A reply has one cookie: that of the last one who signed in.
    signedIn = sessionHeaderOf(answer) ?? signedIn;
  }
  share.protect();
  parts.sessions.setCookie(request, reply, signedIn);
  const tag = hasTag ? tagWithBody(bodyOf(request.raw) as Buffer, tags) : undefined;
  return send(operation, request, reply, { items, tag });
}

/** How many items of a batch ran (contract §1.7). */
const completedHeader = "x-autobatch-completed";

/** Reads every item. */
async function bindItems(operation: Operation, items: readonly JsonObject[], query: Pairs): Promise<Message[]> {
  const inputs: Message[] = [];
  let start = performance.now();
  for (const item of items) {
    inputs.push(operation.bind(item, [query]));
    if (performance.now() - start < maxTurnMs) continue;
    // Lets other requests run: 100 lists of 1,000 names would block the event loop for too long.
    await new Promise(setImmediate);
    start = performance.now();
  }
  return inputs;
}

/** Milliseconds for which items are read in one turn of the event loop. */
const maxTurnMs = 2;

/** Runs the items of one part at a time. Yields their results in their order, up to the first that fails. */
async function* inTurn<I, O>(parts: readonly I[][], run: (item: I) => Promise<O>): AsyncGenerator<O> {
  for (const part of parts) {
    const running = part.map(run);
    // The first failure is the reply; the others are not waited for.
    for (const one of running) one.catch(() => {});
    yield* running;
  }
}

function batchItems(json: unknown): JsonObject[] {
  if (Array.isArray(json) && json.length <= maxBatchSize && json.every(isJsonObject)) return json;
  throw unreadable(`The body of a batch should be a JSON array of at most ${maxBatchSize} objects.`);
}
