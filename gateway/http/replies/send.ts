import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { wrapJsonp } from "../../rendering/jsonp.ts";
import { toPublicError } from "../errors/from-service.ts";
import type { PublicError } from "../errors/public-error.ts";
import { isUnread } from "../requests/read-body.ts";

/** Sends JSON as the reply. A JSONP call gets it wrapped, with status 200: browsers run no script with another status. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, json: Buffer): FastifyReply {
  return prepare(request, reply, status).send(wrapped(request, json));
}

/**
 * Sends the items of a batch as a JSON array. A long one is sent in parts: it is never in memory as a whole beside its items.
 * @param items JSON, escaped for scripts under JSONP
 */
export function sendList(request: FastifyRequest, reply: FastifyReply, items: readonly Buffer[]): FastifyReply {
  const { callback } = request.context;
  // The name of a callback may have any letters (contract §4).
  const [start, end] = [
    Buffer.from(callback === undefined ? "[" : `${callback}([`),
    callback === undefined ? "]" : "])",
  ];
  const pieces = [start, ...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])), Buffer.from(end)];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  prepare(request, reply, 200).header("Content-Length", length);
  return reply.send(allAtOnce(pieces));
}

/** A stream of what is in memory already. To join the pieces would take as long as to send them: each joined reply is a new large buffer. */
function allAtOnce(pieces: readonly Buffer[]): Readable {
  return new Readable({
    read() {
      for (const piece of pieces) this.push(piece);
      this.push(null);
    },
  });
}

const comma = Buffer.from(",");

/** Sends an error in the contract's shape (contract §5). */
export function sendPublicError(request: FastifyRequest, reply: FastifyReply, error: PublicError): FastifyReply {
  request.context.errorCode = error.responseStatus.errorCode;
  request.context.errorStatus = error.status;
  reply.header("Cache-Control", "no-store");
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  const json = Buffer.from(error.toText());
  if (!error.closes && !isUnread(request.raw)) return sendJson(request, reply, error.status, json);
  const bytes = wrapped(request, json);
  prepare(request, reply, error.status).header("Content-Length", bytes.length);
  if (error.closes) reply.header("connection", "close");
  return reply.send(Readable.from(lingering(bytes, request.raw)));
}

function prepare(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  if (request.context.callback === undefined) return reply.code(status).header("Content-Type", "application/json");
  return reply.code(200).headers({ "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" });
}

function wrapped({ context: { callback } }: FastifyRequest, json: Buffer): Buffer {
  return callback === undefined ? json : Buffer.from(wrapJsonp(callback, json.toString()));
}

/** Milliseconds for a client to stop sending. */
const lingerMs = 2_000;

/**
 * Sends the reply at once, but ends it only when the client has stopped sending: closing a socket with unread bytes resets it, and
 * the reset can overtake the reply.
 */
async function* lingering(bytes: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield bytes;
  if (request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingerMs);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", stop).once("close", stop).once("error", stop);
    request.resume();
  });
}

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
