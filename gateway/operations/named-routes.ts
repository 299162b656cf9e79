import type { FastifyInstance } from "fastify";
import { normalizeTarget, segmentOf } from "../http/requests/request-target.ts";
import type { OperationPath } from "./operation-path.ts";
import type { Operation } from "./operation-table.ts";
import type { OperationParts } from "./run-operation.ts";
import { serveOperation } from "./serve-operation.ts";

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
