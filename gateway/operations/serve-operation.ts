import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pairs } from "../http/requests/form-pairs.ts";
import type { Operation } from "./operation-table.ts";
import { readSources, requestObject } from "./read-sources.ts";
import { type OperationParts, runOperation, sessionOf } from "./run-operation.ts";
import { type Send, sendReply } from "./send-reply.ts";

/** Serves one request for an operation. `path` holds the variables of its path, named like request fields. */
export async function serveOperation(
  parts: OperationParts,
  operation: Operation,
  path: Pairs,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send = sendReply,
): Promise<FastifyReply> {
  request.context.operation = operation.name;
  const { json, query, form } = await readSources(request, reply, operation, parts.load);
  const input = operation.bind(requestObject(json), [path, query, form]);
  const answer = await runOperation(parts, operation, input, request, send === sendReply);
  parts.sessions.setCookie(request, reply, sessionOf(answer));
  return send(operation, request, reply, answer);
}
