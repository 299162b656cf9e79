import type { Message } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonObject } from "../binding/compile-binder.ts";
import { severalWrites, unreadable } from "../http/errors/catalog.ts";
import { beforeDeadline, deadlineAfter, millisecondsUntil } from "../http/limits/deadline.ts";
import { maxBatchSize } from "../http/limits/limits.ts";
import { createEntityHash } from "../http/replies/entity-tag.ts";
import { escapeForScript } from "../rendering/jsonp.ts";
import type { Operation } from "./operation-table.ts";
import { isJsonObject, readSources } from "./read-sources.ts";
import { type Answer, jsonOf, keyHeader, type OperationParts, runOperation, sessionOf } from "./run-operation.ts";
import type { Send } from "./send-reply.ts";

/**
 * Serves a JSON array of requests with an array of responses, one after the other, as ServiceStack does (contract §1):
 * every item is read before the first one runs, and the first that fails fails the call. X-AutoBatch-Completed counts
 * the items that ran.
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
  if (operation.filled.hasRequestId && request.headers[keyHeader] !== undefined) throw severalWrites();
  const inputs: Message[] = [];
  for (const item of batchItems(json)) {
    inputs.push(operation.bind(item, [query]));
    // Lets other requests run: 100 lists of 1,000 names would block the event loop for too long.
    await new Promise(setImmediate);
  }
  const { load, sessions, timeoutMs } = parts;
  const deadline = deadlineAfter(timeoutMs);
  request.context.deadline = deadline;
  const share = load.batches.open();
  reply.raw.once("close", () => share.release());
  const items: Buffer[] = [];
  const hash = createEntityHash();
  let signedIn: string | null = null;
  reply.header(completedHeader, "0");
  for (const input of inputs) {
    const run = load.runBatchItem(async () => {
      // The items of other batches may have used up the time.
      millisecondsUntil(deadline);
      return runOperation(parts, operation, input, request, false);
    });
    const answer = await beforeDeadline(deadline, run);
    const bytes = bytesOf(answer, request.context.callback !== undefined);
    share.take(bytes.length);
    items.push(bytes);
    // Item by item: a hash over 34 MB would block the event loop for 50 ms.
    hash.add(bytes);
    hash.add(",");
    reply.header(completedHeader, `${items.length}`);
    // A reply has one cookie: that of the last one who signed in.
    signedIn = sessionOf(answer) ?? signedIn;
  }
  share.settle();
  sessions.setCookie(request, reply, signedIn);
  return send(parts, operation, request, reply, { items, tag: hash.tag() });
}

/** An item's JSON as it is sent; a page's own bytes, which batches share. */
function bytesOf(answer: Answer, isScript: boolean): Buffer {
  const json = jsonOf(answer);
  return isScript ? Buffer.from(escapeForScript(json.toString())) : json;
}

const completedHeader = "x-autobatch-completed";

function batchItems(json: unknown): JsonObject[] {
  if (Array.isArray(json) && json.length <= maxBatchSize && json.every(isJsonObject)) return json;
  throw unreadable(`The body of a batch should be a JSON array of at most ${maxBatchSize} objects.`);
}
