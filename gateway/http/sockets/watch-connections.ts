import type { Server } from "node:http";
import { Socket } from "node:net";
import { keepUnsentReplies } from "../../../services/platform/unsent-replies.ts";
import { overloaded } from "../errors/catalog.ts";
import { maxBytesOfHeads, maxBytesUnsent } from "../limits/limits.ts";
import { isUnread } from "../requests/read-body.ts";
import type { LastRequest, LastRequests } from "./pipelined-requests.ts";
import { refuse } from "./socket-errors.ts";

/** A running watch over the connections of a server. */
export interface ConnectionWatch {
  stop(): void;
}

/** What is known of a connection. */
interface Connection {
  /** How many requests were complete when it was last looked at, and the bytes read from the socket until then. */
  completeRequests: number;
  read: number;
  /** Bytes that wait to be sent, and since when they are the same; by performance.now(). */
  unsent: number;
  since: number;
}

/**
 * Limits the memory of connections beside bodies and batches, which have budgets: unfinished heads, and replies that are not read.
 * When all together take too much, the connections that take most are closed.
 * @param pageCacheBytes of buffers that are no replies
 * @param lastRequests the last request of each connection
 * @param longestStallMs milliseconds after which a connection is closed whose reply is not read at all
 */
export function watchConnections(
  server: Server,
  pageCacheBytes: number,
  lastRequests: LastRequests,
  longestStallMs = 120_000,
): ConnectionWatch {
  const connections = new Map<Socket, Connection>();
  /** Those on which something was read or written that is not finished, as far as is known. */
  const active = new Map<Socket, Connection>();
  /** Reads and writes since the last check, without those of complete requests. */
  let activities = 0;
  /** Runs while a connection is active: an idle process needs not to wake up for it. */
  let timer: NodeJS.Timeout | undefined;
  const restartTimer = timerRestart((socket) => {
    const connection = connections.get(socket);
    if (connection !== undefined) {
      active.set(socket, connection);
      timer ??= setInterval(check, checkMs).unref();
    }
    // By the next check the rest of a head may have come after a complete request: it would not count.
    if (connection !== undefined) noteEnd(socket, connection, lastRequests.get(socket));
    // One turn of the event loop may read from a thousand connections, so the timer would be too late.
    if (++activities === readsPerCheck) process.nextTick(endLongHeads);
  });
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { completeRequests: 0, read: 0, unsent: 0, since: 0 });
    // Each waiting request of the connection listens for its end.
    socket.setMaxListeners(0);
    socket.once("close", () => {
      connections.delete(socket);
      active.delete(socket);
    });
    Object.assign(socket, { _unrefTimer: restartTimer });
  });
  keepUnsentReplies(server, connections);
  server.prependListener("request", (request, response) => {
    activities = Math.max(0, activities - activitiesPerRequest);
    const last = lastRequests.get(request.socket);
    if (last === undefined) lastRequests.set(request.socket, { count: 1, request, response, earlier: undefined });
    else {
      last.count++;
      last.earlier = last.response?.closed === false ? last.response : undefined;
      last.request = request;
      last.response = response;
    }
  });

  /** Whether nothing is unfinished, so that there is nothing to look at until the next read or write. */
  function isQuiet(socket: Socket, connection: Connection): boolean {
    const last = lastRequests.get(socket);
    return socket.writableLength === 0 && noteEnd(socket, connection, last) && socket.bytesRead === connection.read;
  }

  function endLongHeads(): void {
    activities = 0;
    const heads = [...active].map(([socket, connection]) => {
      const last = lastRequests.get(socket);
      return { socket, response: last?.response, bytes: headBytes(socket, connection, last) };
    });
    let sum = heads.reduce((total, { bytes }) => total + bytes, 0);
    if (sum <= maxBytesOfHeads) return;
    for (const { socket, response, bytes } of heads.toSorted((a, b) => b.bytes - a.bytes)) {
      if (sum <= maxBytesOfHeads / 2) return;
      sum -= bytes;
      // No other reply can be sent while one is under way.
      if (response === undefined || response.closed) refuse(socket, overloaded());
      else socket.destroy();
    }
  }

  function endStalled(): void {
    const now = performance.now();
    const stalled: { socket: Socket; since: number }[] = [];
    let unsent = 0;
    for (const [socket, connection] of active) {
      unsent += socket.writableLength;
      if (socket.writableLength !== connection.unsent) {
        Object.assign(connection, { unsent: socket.writableLength, since: now });
      } else if (connection.unsent > 0 && connection.since < now - longestStallMs) {
        // Until a reply is read, its batch and body count against their budgets.
        socket.destroy();
      } else if (connection.unsent > 0 && connection.since < now - stalledMs) {
        stalled.push({ socket, since: connection.since });
      }
    }
    // Connections that send the same page count it once each, and a buffer may be garbage that is not collected yet: neither sum is enough.
    if (stalled.length === 0 || unsent < maxBytesUnsent / 4) return;
    if (process.memoryUsage().arrayBuffers < pageCacheBytes + maxBytesUnsent) return;
    stalled.sort((a, b) => a.since - b.since);
    for (const { socket } of stalled.slice(0, Math.ceil(stalled.length / 4))) socket.destroy();
  }

  function check(): void {
    endLongHeads();
    endStalled();
    for (const [socket, connection] of active) if (isQuiet(socket, connection)) active.delete(socket);
    if (active.size === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }
  return { stop };
}

/** Bytes of a request whose head has not ended. */
function headBytes(socket: Socket, connection: Connection, last: LastRequest | undefined): number {
  return noteEnd(socket, connection, last) ? socket.bytesRead - connection.read : 0;
}

/**
 * Notes the end of a request when it is first seen to be complete: the next head begins there. To be called after each read, of at most
 * 64 KiB: what comes in one read with the end of a request does not count.
 * @returns whether the last request is complete
 */
function noteEnd(socket: Socket, connection: Connection, last: LastRequest | undefined): boolean {
  if (last === undefined || last.count === connection.completeRequests) return true;
  if (last.request !== undefined && isUnread(last.request)) return false;
  connection.completeRequests = last.count;
  connection.read = socket.bytesRead;
  return true;
}

/**
 * Node emits no event for the bytes that its own parser reads, but restarts a socket's timer at each read and write. This is a method
 * for sockets that does the same and calls back. If a later Node does not call it, heads are still checked by time.
 */
function timerRestart(listener: (socket: Socket) => void): (this: Socket) => void {
  const { _unrefTimer: restart } = Socket.prototype as Socket & { _unrefTimer?(): void };
  return function () {
    listener(this);
    restart?.call(this);
  };
}

const checkMs = 100;

/** Reads without a request, of at most 64 KiB each, after which heads are checked at once. */
const readsPerCheck = 64;

/** Reads and writes of a short request: its head is read, its reply is written, and the end of the writing is noted. */
const activitiesPerRequest = 3;

/** Milliseconds after which a client that took no bytes counts as not reading. */
const stalledMs = 1_000;
