import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { methodNotAllowed } from "./errors/catalog.ts";

/**
 * Adds a path that is not an operation. It answers GET and HEAD; other verbs get 405 in the error shape, since only
 * operations answer every verb alike (contract §1).
 * @param has whether a path of the pattern exists; default: all do
 */
export function addReadOnly(
  app: FastifyInstance,
  path: string,
  serve: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
  has: (request: FastifyRequest) => boolean = () => true,
): void {
  app.get(path, (request, reply) => {
    if (!has(request)) return reply.callNotFound();
    if (request.method === "GET" || request.method === "HEAD") return serve(request, reply);
    reply.header("allow", "GET, HEAD");
    throw methodNotAllowed();
  });
}
