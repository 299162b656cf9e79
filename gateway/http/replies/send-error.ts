import type { FastifyReply, FastifyRequest } from "fastify";
import { toPublicError } from "../errors/from-service.ts";
import { sendPublicError } from "./send.ts";

/** Answers a request that failed, whatever was thrown. Logs, once, what is not the client's fault. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // The sending failed because the client has disconnected. The request's log line says so.
  if (reply.raw.destroyed && (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE") return;
  const failure = toPublicError(error, request.id);
  const { errorCode } = failure.responseStatus;
  if (failure.status === 500) request.log.error({ err: error }, errorCode);
  // Our own refusals are in the request's log line; under overload a second line would add to the load.
  else if (failure.status > 500 && failure !== error) request.log.warn({ err: error }, errorCode);
  void sendPublicError(request, reply, failure);
}
