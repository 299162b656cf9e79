import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AssembledBytes, JsonList, type ReplyBytes } from "../../rendering/assembled-bytes.ts";
import { wrapJsonp } from "../../rendering/jsonp.ts";
import type { PublicError } from "../errors/public-error.ts";
import { onceClosed } from "../requests/once-closed.ts";
import { isUnread } from "../requests/read-body.ts";
import { holdAssembled, mayAssemble } from "./assembled-replies.ts";

/** Sends JSON as the reply. A JSONP call gets it wrapped, with status 200: browsers run no script with another status. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, status: number, json: Buffer): FastifyReply {
  return prepare(request, reply, status).send(wrapped(request, json));
}

/**
 * Sends the items of a batch as a JSON array. A short one is joined, since a stream costs more than the copy, unless too many replies
 * wait for their clients.
 * @param items JSON, escaped for scripts under JSONP
 */
export function sendList(request: FastifyRequest, reply: FastifyReply, items: readonly ReplyBytes[]): FastifyReply {
  const { callback } = request.context;
  // The name of a callback may have any letters (contract §4).
  const list =
    callback === undefined ? new JsonList(items) : new JsonList(items, Buffer.from(`${callback}([`), Buffer.from("])"));
  prepare(request, reply, 200).header("content-length", list.length);
  return list.length > maxWhole ? reply.send(Readable.from(list.chunks())) : sendPageBytes(request, reply, list);
}

/** Bytes of a list that is assembled as a whole: ten timelines of twenty take 310 KB. */
const maxWhole = 512 * 1024;

/** Sends the bytes of a page: as one buffer, or in small parts where too many replies wait for their clients. */
export function sendPageBytes(request: FastifyRequest, reply: FastifyReply, bytes: ReplyBytes): FastifyReply {
  if (!(bytes instanceof AssembledBytes)) return reply.send(bytes);
  if (!mayAssemble()) return reply.header("content-length", bytes.length).send(Readable.from(bytes.chunks()));
  onceClosed(request.raw, reply.raw, holdAssembled(bytes.length));
  return reply.send(bytes.whole());
}

/** Sends an error in the contract's shape (contract §5). */
export function sendPublicError(request: FastifyRequest, reply: FastifyReply, error: PublicError): FastifyReply {
  request.context.errorCode = error.responseStatus.errorCode;
  request.context.errorStatus = error.status;
  reply.header("cache-control", "no-store");
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  const json = Buffer.from(error.toText());
  if (!error.closes && !isUnread(request.raw)) return sendJson(request, reply, error.status, json);
  const bytes = wrapped(request, json);
  prepare(request, reply, error.status).header("content-length", bytes.length);
  if (error.closes) reply.header("connection", "close");
  return reply.send(Readable.from(lingering(bytes, request.raw)));
}

function prepare(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  if (request.context.callback === undefined) return reply.code(status).header("content-type", "application/json");
  return reply.code(200).headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-store" });
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
