import type { Message } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../operations.ts";
import { anonymousHeader, sessionCookie, sessionHeader } from "../sessions/session-cookie.ts";

/** Runs an operation in its service; resolves to the JSON of the answer. A session that it signed in becomes a cookie. */
export async function callService(
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { callback, protocol } = request;
  // Any page may load a script: a JSONP call is for nobody, and signs nobody in (contract §4).
  const answer = await operation.call(input, callback === undefined ? {} : { [anonymousHeader]: "jsonp" });
  const text = operation.render(answer.message);
  const session = answer.header.get(sessionHeader);
  if (session !== null && callback === undefined)
    reply.header("set-cookie", sessionCookie(session, protocol === "https"));
  return text;
}
