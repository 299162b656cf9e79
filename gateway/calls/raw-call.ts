import {
  type DescMessage,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createKeyedLimit } from "../../services/platform/concurrency-limit.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { NotFinite } from "../rendering/scalar-text.ts";

/** What a service answered. */
export interface RawReply {
  /** The reply message as it came, in protobuf's wire format. */
  wire: Uint8Array;
  /** The service's response headers. */
  header: Headers;
}

/** Calls an RPC and leaves its reply undecoded. Rejects with ConnectError. */
export type RawCall = (request: Message, header: Record<string, string>, deadline: Deadline) => Promise<RawReply>;

/** The call of an RPC whose reply is only passed on: rendering/ makes JSON of its bytes. */
export function rawCall(method: DescMethodUnary, transport: Transport): RawCall {
  // A message type without fields keeps the whole reply as unknown fields (protobuf.dev, Unknown Fields).
  const unread: DescMethodUnary<DescMessage, typeof EmptySchema> = { ...method, output: EmptySchema };
  // No abort when the client disconnects: a oneway client does so at once, and its write has to be finished.
  return async (request, header, deadline) => {
    const input = request as MessageInitShape<typeof method.input>;
    const reply = await transport.unary(unread, undefined, millisecondsUntil(deadline), header, input);
    return { wire: toBinary(EmptySchema, reply.message), header: reply.header };
  };
}

/**
 * Decodes the bytes of a reply.
 * @throws NotFinite, and ConnectError where `read` throws otherwise: Unavailable, as for every other unreadable reply of a
 * service (services/platform/connect/client.ts)
 */
export function decodeReply<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotFinite) throw error;
    throw new ConnectError("the reply cannot be read", Code.Unavailable, undefined, undefined, error);
  }
}

/** How many calls may be under way at once. */
interface CallerLimits {
  ofViewer: number;
  /** All anonymous callers together. */
  anonymous: number;
}

/**
 * Limits the calls that each caller has under way over the same connections (64, services/platform/connect/client.ts). Further calls of that caller wait, so
 * that a client with many slow requests can use only a part of the connections. Viewers who share a load (`createLoadOnce`) wait with the
 * viewer who began it.
 * @returns applies the limit to a call; all calls to which it is applied count together
 */
export function createCallerLimits(limits: CallerLimits = { ofViewer: 16, anonymous: 48 }) {
  const callers = createKeyedLimit((viewerId) => (viewerId === "" ? limits.anonymous : limits.ofViewer));
  return (call: RawCall): RawCall =>
    (request, header, deadline) =>
      callers.run(header[viewerHeader] ?? "", () => call(request, header, deadline));
}
