import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonObject } from "../binding/compile-binder.ts";
import { unreadable } from "../errors/catalog.ts";
import { maxBatchSize } from "../limits.ts";
import type { Operation } from "../operations.ts";
import { type Answer, callService, jsonOf, sessionOf, setSessionCookie } from "./call-service.ts";
import { isJsonObject, readSources } from "./read-sources.ts";
import type { Send } from "./send-reply.ts";

/**
 * Serves a JSON array of requests with an array of responses, one after the other, as ServiceStack does (contract §1):
 * every item is read before the first one runs, and the first that fails fails the call. X-AutoBatch-Completed counts
 * the items that ran.
 */
export async function serveBatch(operation: Operation, request: FastifyRequest, reply: FastifyReply, send: Send) {
  request.operation = operation.name;
  const { json, query } = await readSources(request, operation);
  const inputs = batchItems(json).map((item) => operation.bind(item, [query]));
  const answers: Answer[] = [];
  reply.header(completedHeader, "0");
  for (const input of inputs) {
    answers.push(await callService(operation, input, request, false));
    reply.header(completedHeader, `${answers.length}`);
  }
  // A reply has one cookie: that of the last one who signed in.
  const signedIn = answers.map(sessionOf).findLast((session) => session !== null);
  setSessionCookie(request, reply, signedIn ?? null);
  return send(operation, request, reply, { json: `[${answers.map(jsonOf).join(",")}]`, session: null });
}

const completedHeader = "x-autobatch-completed";

function batchItems(json: unknown): JsonObject[] {
  if (Array.isArray(json) && json.length <= maxBatchSize && json.every(isJsonObject)) return json;
  throw unreadable(`The body of a batch should be a JSON array of at most ${maxBatchSize} objects.`);
}
