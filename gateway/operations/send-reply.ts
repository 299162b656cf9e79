import type { FastifyReply, FastifyRequest } from "fastify";
import type { Shortcut } from "../http/fast-path.ts";
import { entityTag, hasAlready } from "../http/replies/entity-tag.ts";
import { sendJson, sendList } from "../http/replies/send.ts";
import type { Operation } from "./operation-table.ts";
import { type Answer, type BatchAnswer, jsonOf } from "./run-operation.ts";

declare module "fastify" {
  interface FastifyInstance {
    shortcut: Shortcut;
  }
}

/** Ends a request that succeeded. */
export type Send = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | BatchAnswer,
) => FastifyReply;

/** Sends the answer; what a read answered goes under its tag, and not again to a client that has it (contract §3). */
export const sendReply: Send = (operation, request, reply, answer) => {
  cacheable(operation, request, reply);
  // A script element cannot ask again with a tag.
  const hasTag = operation.isRead && request.callback === undefined;
  if ("items" in answer) {
    if (hasTag && isKnown(request, reply, answer.tag)) return reply.code(304).send();
    return sendList(request, reply, answer.items);
  }
  if (!hasTag) return sendJson(request, reply, 200, jsonOf(answer));
  if ("page" in answer) return sendPage(operation, request, reply, answer);
  if (isKnown(request, reply, entityTag(answer.json))) return reply.code(304).send();
  return sendJson(request, reply, 200, answer.json);
};

/** Names the reply, and tells whether the client has it. */
function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header("etag", tag);
  return hasAlready(request, tag);
}

/** Sends no answer: a oneway client only wants to know that the operation ran (contract §1). */
export const sendNothing: Send = (operation, request, reply) => cacheable(operation, request, reply).code(204).send();

// What a read answered may be kept, by its caller alone if they are signed in, but not used without asking again; what a
// write answered may not be kept at all.
function cacheable({ isRead }: Operation, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const readable = request.hasViewer ? "private, no-cache" : "no-cache";
  return reply.header("cache-control", isRead && request.callback === undefined ? readable : "no-store");
}

function sendPage(
  { name }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, prepared }: Extract<Answer, { page: unknown }>,
): FastifyReply {
  const { headers, method } = request.raw;
  const isBare = headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
  if (method === "GET" && isBare) request.server.shortcut.remember(request.originalUrl, name, prepared);
  reply.header("etag", page.etag);
  if (hasAlready(request, page.etag)) return reply.code(304).send();
  if (page.encoding !== "identity") reply.header("content-encoding", page.encoding);
  return reply.code(200).header("content-type", "application/json").send(page.bytes);
}
