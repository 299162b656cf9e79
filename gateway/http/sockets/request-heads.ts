import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { PublicError } from "../errors/public-error.ts";
import { shortHeadMemory } from "../limits/limits.ts";
import type { ByteBudget } from "../load/byte-budget.ts";
import type { RequestTally } from "../log/request-metrics.ts";
import { interceptRequests } from "../requests/intercept-requests.ts";
import { onceClosed } from "../requests/once-closed.ts";
import { isUnread } from "../requests/read-body.ts";
import { headMemory } from "../requests/request-rules.ts";
import type { LastRequests } from "./pipelined-requests.ts";
import { refuse } from "./socket-errors.ts";

/**
 * Limits the memory of the heads of all unanswered requests, and of requests that wait for an earlier reply of their connection. Where
 * the budget is used up, a request gets 503 and its connection ends. A waiting request gets no answer, since that would have to wait as
 * well. To be called after the server's request listener was added.
 * @param lastRequests where requests are noted before they come here
 * @param requests counts those that are refused
 */
export function limitHeads(
  server: Server,
  lastRequests: LastRequests,
  budget: ByteBudget,
  requests: RequestTally,
): void {
  interceptRequests(server, (serve) => (request, response) => {
    const { socket } = request;
    // Node's parser emits all requests of the bytes that it has read.
    if (socket.destroyed) return;
    const isBehind = lastRequests.get(socket)?.earlier !== undefined;
    const memory = headMemory(request);
    if (!isBehind && memory <= shortHeadMemory) return serve(request, response);
    const share = budget.open();
    try {
      share.take(isBehind ? memory + waitingMemory(request) : memory);
    } catch (error) {
      const failure = error as PublicError;
      requests.note(failure.status, 0);
      if (isBehind) return void socket.destroy();
      // The socket takes a while to end, and Node keeps its last request until then.
      request.rawHeaders = [];
      request.headers = {};
      return refuse(socket, failure);
    }
    onceClosed(request, response, () => {
      share.release();
      forget(lastRequests, request, response);
    });
    serve(request, response);
  });
}

/** Memory in bytes of a waiting request: Node's objects, and the part of an unread body that Node may buffer. */
function waitingMemory(request: IncomingMessage): number {
  if (!isUnread(request)) return objectMemory;
  return objectMemory + Math.min(Number(request.headers["content-length"] ?? maxUnread), maxUnread);
}

/** Bytes of a request and its response. */
const objectMemory = 4_096;

/** Bytes that Node reads at a time; then it pauses, since the body is not read. */
const maxUnread = 64 * 1024;

/** Node keeps the last request of an idle connection: it must not keep its head in memory. */
function forget(lastRequests: LastRequests, request: IncomingMessage, response: ServerResponse): void {
  const last = lastRequests.get(request.socket);
  if (last?.earlier === response) last.earlier = undefined;
  // A request that has not arrived in full ends its connection.
  if (last?.response === response && request.complete) last.request = last.response = undefined;
}
