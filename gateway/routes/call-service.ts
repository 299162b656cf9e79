import type { Message } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import type { Operation } from "../operations.ts";
import type { IdentifyCaller } from "../sessions/identify-caller.ts";
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

export interface Answer {
  /** The reply's JSON. */
  json: string;
  /** The session that the call signed in, as the service says it; null when it did not. */
  session: string | null;
}

/** Runs an operation in its service. */
export async function callService(operation: Operation, input: Message, request: FastifyRequest): Promise<Answer> {
  const caller = await request.server.identifyCaller(request);
  request.hasViewer = caller[viewerHeader] !== undefined;
  const { message, header } = await operation.call(input, caller);
  return { json: operation.render(message), session: header.get(sessionHeader) };
}

/** Makes the session of an answer the caller's cookie, once the whole request has succeeded. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, { session }: Answer): void {
  // Any page may load a script: a JSONP call signs nobody in, whatever the service made of it.
  if (session === null || request.callback !== undefined) return;
  reply.header("set-cookie", sessionCookie(session, request.protocol === "https"));
}
