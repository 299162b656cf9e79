import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, hasAlready, tagWithBody } from "../http/replies/entity-tag.ts";
import type { Page } from "../http/replies/page.ts";
import { sendJson, sendList } from "../http/replies/send.ts";
import { bodyOf } from "../http/requests/read-body.ts";
import type { Operation } from "./operation-table.ts";
import { type Answer, jsonOf } from "./run-operation.ts";

/** The JSON of the items of a batch, each as it is sent. */
export interface BatchAnswer {
  items: readonly Buffer[];
  /** The tag of all of them; undefined for a reply that has none. */
  tag: string | undefined;
}

/** Ends a request that succeeded. */
export type Send = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | BatchAnswer,
) => FastifyReply;

/** Sends the answer. That of a read has an entity tag, and is 304 for a client that has it (contract §3). */
export const sendReply: Send = (operation, request, reply, answer) => {
  setCacheControl(operation, request, reply);
  // A script element cannot ask again with a tag.
  const hasTag = operation.isStorable && request.context.callback === undefined;
  if ("items" in answer) {
    if (answer.tag !== undefined && setTag(request, reply, answer.tag)) return reply.code(304).send();
    return sendList(request, reply, answer.items);
  }
  if ("headers" in answer) reply.headers(answer.headers);
  if (!hasTag) return sendJson(request, reply, 200, jsonOf(answer));
  if ("page" in answer) return sendPage(request, reply, answer.page);
  if (setTag(request, reply, entityTag(answer.json))) return reply.code(304).send();
  return sendJson(request, reply, 200, answer.json);
};

/** Sets the reply's tag. Returns whether the client has it. */
function setTag(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header("ETag", tag);
  return hasAlready(request, tag);
}

/** Sends no answer: a oneway client only wants to know that the operation ran (contract §1). */
export const sendNothing: Send = (operation, request, reply) =>
  setCacheControl(operation, request, reply).code(204).send();

// A client may store the answer of a read (of a signed-in caller only privately), and has to revalidate it each time. Answers of writes
// and about sessions are never stored.
function setCacheControl({ isStorable }: Operation, { context }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const readable = context.hasViewer ? "private, no-cache" : "no-cache";
  return reply.header("Cache-Control", isStorable && context.callback === undefined ? readable : "no-store");
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  // A client compares the tag with that of an earlier reply of the same URL, and that request may have had another body.
  const body = request.method === "POST" ? undefined : bodyOf(request.raw);
  const tag = body === undefined ? page.etag : tagWithBody(body, [page.etag]);
  if (setTag(request, reply, tag)) return reply.code(304).send();
  if (page.form !== "identity") reply.header("Content-Encoding", page.form);
  return reply.code(200).header("Content-Type", "application/json").send(page.bytes);
}
