import type { FastifyReply, FastifyRequest } from "fastify";
import { toPublicError } from "../errors/from-service.ts";
import { sendPublicError } from "./send.ts";

/** Answers a request that failed, whatever was thrown. What is not the client's fault is logged here, once. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // What failed is the sending: the client has left. The request's line says so.
  if (reply.raw.destroyed && (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE") return;
  const failure = toPublicError(error, request.id);
  const { errorCode } = failure.responseStatus;
  if (failure.status === 500) request.log.error({ err: error }, errorCode);
  // Our own refusals are in the request's line; under overload another one would be a load itself.
  else if (failure.status > 500 && failure !== error) request.log.warn({ err: error }, errorCode);
  void sendPublicError(request, reply, failure);
}
