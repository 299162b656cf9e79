import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pairs } from "../http/requests/form-pairs.ts";
import type { Operation } from "./operation-table.ts";
import { readSources, requestObject } from "./read-sources.ts";
import { type OperationParts, runOperation, sessionHeaderOf } from "./run-operation.ts";
import { type Send, sendReply } from "./send-reply.ts";

/** A request for an operation. */
export interface OperationRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The variables of its path, named like request fields; none when left out. */
  path?: Pairs;
  /** By default the reply has a body. */
  send?: Send;
}

/** Serves one request for an operation. */
export async function serveOperation(
  parts: OperationParts,
  operation: Operation,
  { request, reply, path = [], send = sendReply }: OperationRequest,
): Promise<FastifyReply> {
  request.context.operation = operation.name;
  const { json, query, form } = await readSources(request, reply, operation, parts.load);
  const input = operation.bind(requestObject(json), [path, query, form]);
  const answer = await runOperation(parts, operation, input, request, send === sendReply);
  parts.sessions.setCookie(request, reply, sessionHeaderOf(answer));
  return send(operation, request, reply, answer);
}
