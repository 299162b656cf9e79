import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Reading } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { addressKey } from "../../services/platform/limits/address-key.ts";
import { noCallback, signInFirst } from "../http/errors/catalog.ts";
import { deadlineAfter } from "../http/limits/deadline.ts";
import type { RequestMetrics } from "../http/log/request-metrics.ts";
import { addReadOnly } from "../http/read-only.ts";
import { parsePairs } from "../http/requests/form-pairs.ts";
import { onceClosed } from "../http/requests/once-closed.ts";
import { normalizeTarget, queryOf, segmentOf } from "../http/requests/request-target.ts";
import { hasNoAnswer } from "../operations/run-operation.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { authorIdsOf } from "./author-ids.ts";
import { type Reader, Stream } from "./stream.ts";
import { retryMs, type Streams } from "./streams.ts";

/** What the routes of live streams need. */
export interface LiveParts {
  sessions: Sessions;
  streams: Streams;
  requests: RequestMetrics;
  /** Milliseconds until a stream begins. */
  timeoutMs: number;
}

/** Adds the live streams: of a reader's home, and of one user's timeline (contract §15). */
export function addLiveRoutes(app: FastifyInstance, parts: LiveParts): void {
  addReadOnly(app, "/timelines/home/live", (request, reply) => serveLive(parts, request, reply, ""));
  addReadOnly(app, "/social/:ScreenName/timelines/live", (request, reply) =>
    serveLive(parts, request, reply, segmentOf(normalizeTarget(request.originalUrl), 2)),
  );
}

/** @param screenName "" for the reader's home */
async function serveLive(
  parts: LiveParts,
  request: FastifyRequest,
  reply: FastifyReply,
  screenName: string,
): Promise<FastifyReply> {
  const start = performance.now();
  const { streams, requests } = parts;
  const { context, raw } = request;
  context.operation = screenName === "" ? "LiveHome" : "LiveTimeline";
  if (context.callback !== undefined) {
    context.callback = undefined;
    throw noCallback();
  }
  const given = cursorOf(request);
  const begun = await begin(parts, request, reply, screenName, given).catch((error) => {
    // Who begins is told; a browser that goes on would not come back.
    if (given !== "" && hasNoAnswer(error)) return undefined;
    throw error;
  });
  if (begun === undefined || streams.isEnding()) return comeBack(reply);
  const { reader, first } = begun;
  reply.hijack();
  // The end of the connection is that of the stream.
  reply.raw.useChunkedEncodingByDefault = false;
  reply.raw.writeHead(200, streamHeaders(reply));
  // Written alone, the head stays in memory as one text, not as all of its parts.
  reply.raw.flushHeaders();
  if (request.method === "HEAD") {
    reply.raw.end();
    return reply;
  }
  context.isStream = true;
  requests.of(context.operation).note(200, performance.now() - start);
  // A cursor that counts comes back as it was, so that it stands before what follows.
  const { reading, isLost, authorIds } = first;
  const cursor = given === "" || isLost ? (reading as Reading).cursor : given;
  const stream = new Stream(reader, reply.raw, { cursor, isReset: isLost, authorIds: authorIdsOf(authorIds) });
  streams.add(stream, first);
  onceClosed(raw, reply.raw, () => streams.remove(stream));
  forgetHead(raw);
  return reply;
}

/** Node has a request in memory until its connection ends. */
function forgetHead(request: IncomingMessage): void {
  request.headers = {};
  request.rawHeaders = [];
}

/** Checks who asks and whether there is room, and reads for the first time. @throws PublicError, ConnectError */
async function begin(
  { sessions, streams, timeoutMs }: LiveParts,
  request: FastifyRequest,
  reply: FastifyReply,
  screenName: string,
  cursor: string,
) {
  const { context, raw } = request;
  const deadline = (context.deadline = deadlineAfter(timeoutMs));
  const viewerId = (await sessions.identify(request, true, deadline))[viewerHeader];
  if (screenName === "" && viewerId === undefined) throw signInFirst();
  const sessionId = viewerId === undefined ? "" : sessions.presented(request, true).id;
  const reader: Reader = { sessionId, viewerId: BigInt(viewerId ?? 0), screenName };
  const reserved = streams.reserve(addressKey(context.address ?? ""));
  onceClosed(raw, reply.raw, reserved.release);
  return { reader, first: await streams.read(reader, cursor, deadline) };
}

/** Of a reader who goes on; "" for one who begins. */
function cursorOf({ headers, raw }: FastifyRequest): string {
  const header = headers["last-event-id"]?.toString();
  if (header) return header;
  const names = new Set(["lasteventid"]);
  return parsePairs(queryOf(raw.url ?? ""), { names, clearable: new Set() }).at(-1)?.[1] ?? "";
}

/** A stream that ends at once: a browser does not come back after a 503. */
function comeBack(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(200, streamHeaders(reply)).end(`retry: ${retryMs}\n\n`);
  return reply;
}

function streamHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  return {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    "Content-Type": "text/event-stream",
    "Cache-Control": "private, no-store",
    // nginx passes it on as it comes.
    "X-Accel-Buffering": "no",
    Connection: "close",
  };
}
