import type { FastifyInstance } from "fastify";
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
