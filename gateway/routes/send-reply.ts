import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../operations.ts";
import { sendJson } from "./send.ts";

/** Ends a request that succeeded. */
export type Send = (operation: Operation, request: FastifyRequest, reply: FastifyReply, json: string) => FastifyReply;

/** Sends the answer. */
export const sendReply: Send = (operation, request, reply, json) =>
  sendJson(request, cacheable(operation, request, reply), 200, json);

/** Sends no answer: a oneway client only wants to know that the operation ran (contract §9). */
export const sendNothing: Send = (operation, request, reply) => cacheable(operation, request, reply).code(204).send();

// What a read answered may be kept, by its caller alone if they are signed in, but not used without asking again; what a
// write answered may not be kept at all.
function cacheable({ isRead }: Operation, { hasViewer }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const readable = hasViewer ? "private, no-cache" : "no-cache";
  return reply.header("cache-control", isRead ? readable : "no-store");
}
