import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../../services/platform/log.ts";
import { headersTooLarge, malformedRequest, requestTimeout, urlTooLong } from "../errors/catalog.ts";
import type { PublicError } from "../errors/public-error.ts";
import { maxUrlLength } from "../limits/limits.ts";
import type { RequestTally } from "../log/request-metrics.ts";
import { commonHeaders } from "../replies/common-headers.ts";
import { failBody } from "../requests/read-body.ts";
import type { LastRequests } from "./pipelined-requests.ts";

interface ParserError extends Error {
  code?: string;
  /** The bytes that the parser was fed last. */
  rawPacket?: unknown;
}

/** Handles a server's `clientError`. */
export type AnswerError = (error: ParserError, socket: Socket) => void;

/**
 * Answers requests that Node's HTTP parser refuses, in the contract's shape, then closes the connection. An error in a body goes
 * to the reader of that body, which answers as for any other error. Other errors are answered after the replies to the requests
 * before them on the connection.
 */
export function answerErrors(log: Log, requests: RequestTally, lastRequests: Pick<LastRequests, "get">): AnswerError {
  const refused = new WeakSet<Socket>();
  return (error, socket) => {
    // The parser repeats the error for all bytes that follow.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const failure = publicErrorOf(error);
    log.info({ status: failure.status, errorCode: failure.responseStatus.errorCode, code: error.code }, "refused");
    const last = lastRequests.get(socket);
    if (last?.request === undefined || last.request.complete) {
      requests.note(failure.status, 0);
      return after(last?.response, () => refuse(socket, failure));
    }
    failBody(last.request, failure);
    after(last.response, () => endSlowly(socket));
  };
}

/** Answers a socket that carries no request, and closes it. */
export function refuse(socket: Socket, failure: PublicError): void {
  if (!socket.writable) return void socket.destroy();
  const body = failure.toText();
  const headers = {
    ...commonHeaders(),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join("")}\r\n${body}`);
  endSlowly(socket);
}

/** Runs `action` when the responses that the client still waits for are sent. */
function after(response: ServerResponse | undefined, action: () => void): void {
  if (response === undefined || response.closed) action();
  else response.once("close", action);
}

// Destroying a socket with unread bytes resets the connection, and a reset can overtake the answer.
function endSlowly(socket: Socket): void {
  // The parser would store the rest of an endless head too.
  socket.removeAllListeners("data").on("data", ignore);
  const { parser } = socket as Socket & { parser?: { _headers?: string[] } | null };
  if (parser?._headers !== undefined) parser._headers = [];
  socket.end();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function ignore(): void {}

function publicErrorOf(error: ParserError): PublicError {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return isRequestLine(error.rawPacket) ? urlTooLong() : headersTooLarge();
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return requestTimeout();
    default:
      return malformedRequest("This is not a valid HTTP request.");
  }
}

// Node does not distinguish a long URL from long headers. Guessed from the last packet: its first line is a request line that ends in it
// and is too long, or one that begins in it and does not end.
function isRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false;
  const [line = "", rest] = packet.toString("latin1").split("\n", 2);
  const beginsHere = /^[A-Z-]+ /.test(line);
  if (rest === undefined) return beginsHere;
  return / HTTP\/1\.\d\r?$/.test(line) && (!beginsHere || line.length > maxUrlLength);
}
