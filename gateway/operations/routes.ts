import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { unknownOperation } from "../http/errors/catalog.ts";
import type { Pairs } from "../http/requests/form-pairs.ts";
import { normalizeTarget, segmentOf } from "../http/requests/request-target.ts";
import type { Operation } from "./operation-table.ts";
import { type OperationPath, onewayPrefixes, replyPrefixes } from "./paths.ts";
import { readSources, requestObject } from "./read-sources.ts";
import { type OperationParts, runOperation, sessionHeaderOf } from "./run-operation.ts";
import { type Send, sendNothing, sendReply } from "./send-reply.ts";
import { serveBatch } from "./serve-batch.ts";

const prefixes: readonly (readonly [prefix: string, send: Send])[] = [
  ...replyPrefixes.map((prefix) => [prefix, sendReply] as const),
  ...onewayPrefixes.map((prefix) => [prefix, sendNothing] as const),
];

/** Adds the routes that name their operation: `/json/reply/{Operation}`, with `[]` after the name for a batch. */
export function addGenericRoutes(app: FastifyInstance, operations: readonly Operation[], parts: OperationParts): void {
  const byName = new Map(operations.map((operation) => [operation.name.toLowerCase(), operation]));
  for (const [prefix, send] of prefixes) {
    const segment = prefix.split("/").length;
    app.get(`${prefix}/:operation`, (request, reply) => {
      const name = segmentOf(normalizeTarget(request.originalUrl), segment);
      const isBatch = name.endsWith("[]");
      const operation = byName.get((isBatch ? name.slice(0, -2) : name).toLowerCase());
      if (operation === undefined) throw unknownOperation();
      return isBatch
        ? serveBatch(parts, operation, request, reply, send)
        : serveOperation(parts, operation, { request, reply, send });
    });
  }
}

/** Adds every path of every operation, on all verbs (contract §1). */
export function addNamedRoutes(app: FastifyInstance, operations: readonly Operation[], parts: OperationParts): void {
  for (const operation of operations) {
    for (const path of operation.paths) {
      app.get(path.route, (request, reply) => {
        const pairs = pathPairs(path, normalizeTarget(request.originalUrl));
        return serveOperation(parts, operation, { request, reply, path: pairs });
      });
    }
  }
}

function pathPairs({ variables }: OperationPath, target: string) {
  return variables.map(({ name, segment }) => [name, segmentOf(target, segment)] as const);
}

/** A request for an operation. */
interface OperationRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The variables of its path, named like request fields; none when left out. */
  path?: Pairs;
  /** By default the reply has a body. */
  send?: Send;
}

/** Serves one request for an operation. */
async function serveOperation(
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
