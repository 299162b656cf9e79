import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { unknownOperation } from "../http/errors/catalog.ts";
import { normalizeTarget, segmentOf } from "../http/requests/request-target.ts";
import { onewayPrefixes, replyPrefixes } from "./generic-paths.ts";
import type { Operation } from "./operation-table.ts";
import type { OperationParts } from "./run-operation.ts";
import { type Send, sendNothing, sendReply } from "./send-reply.ts";
import { serveBatch } from "./serve-batch.ts";
import { serveOperation } from "./serve-operation.ts";

const prefixes: readonly (readonly [prefix: string, send: Send])[] = [
  ...replyPrefixes.map((prefix) => [prefix, sendReply] as const),
  ...onewayPrefixes.map((prefix) => [prefix, sendNothing] as const),
];

/** Adds the routes that name their operation: `/json/reply/{Operation}`, with `[]` after the name for a batch. */
export function addGenericRoutes(app: FastifyInstance, operations: readonly Operation[], parts: OperationParts): void {
  const byName = new Map(operations.map((operation) => [operation.name.toLowerCase(), operation]));
  for (const [prefix, send] of prefixes) {
    const segment = prefix.split("/").length;
    app.get(`${prefix}/:operation`, (request, reply) =>
      serveNamed(parts, byName, segmentOf(normalizeTarget(request.originalUrl), segment), request, reply, send),
    );
  }
}

function serveNamed(
  parts: OperationParts,
  byName: ReadonlyMap<string, Operation>,
  segment: string,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send,
): Promise<FastifyReply> {
  const isBatch = segment.endsWith("[]");
  const operation = byName.get((isBatch ? segment.slice(0, -2) : segment).toLowerCase());
  if (operation === undefined) throw unknownOperation();
  return isBatch
    ? serveBatch(parts, operation, request, reply, send)
    : serveOperation(parts, operation, [], request, reply, send);
}
