import type { Message } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "../operations.ts";
import { type IdentifyCaller, viewerHeader } from "../sessions/identify-caller.ts";
import { sessionCookie, sessionHeader } from "../sessions/session-cookie.ts";

declare module "fastify" {
  interface FastifyInstance {
    identifyCaller: IdentifyCaller;
  }
  interface FastifyRequest {
    /** Whether the reply shows what a signed-in caller may see. */
    hasViewer: boolean;
  }
}

/** Runs an operation in its service; resolves to the JSON of the answer. A session that it signed in becomes a cookie. */
export async function callService(
  operation: Operation,
  input: Message,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const caller = await request.server.identifyCaller(request);
  request.hasViewer = caller[viewerHeader] !== undefined;
  const answer = await operation.call(input, caller);
  const text = operation.render(answer.message);
  const session = answer.header.get(sessionHeader);
  // Any page may load a script: a JSONP call signs nobody in, whatever the service made of it.
  if (session !== null && request.callback === undefined) {
    reply.header("set-cookie", sessionCookie(session, request.protocol === "https"));
  }
  return text;
}
