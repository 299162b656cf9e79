import type { DescField, DescMessage, DescMethodUnary, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { decodeReply, rawCall } from "../../calls/raw-call.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import { rangesOf } from "../../rendering/wire-reader.ts";

/** Calls an RPC that answers with a list of messages. Rejects with ConnectError. */
export type ListCall<I extends Message, T> = (request: I, deadline: Deadline) => Promise<T[]>;

/**
 * The call of an RPC whose reply is a list.
 * @param read is given each element's bytes as they came
 * @throws Error when the RPC's reply is something else
 */
export function listCall<I extends Message, T>(
  method: DescMethodUnary,
  transport: Transport,
  read: (element: Uint8Array) => T,
): ListCall<I, T> {
  const list = listOf(method);
  const call = rawCall(method, transport);
  return async (request, deadline) => {
    const { wire } = await call(request, {}, deadline);
    return readList(wire, list, read);
  };
}

/** The elements of a reply's list. @throws ConnectError when they cannot be read */
export function readList<T>(wire: Uint8Array, list: DescField, read: (element: Uint8Array) => T): T[] {
  return decodeReply(() => rangesOf(wire, list.number).map((range) => read(wire.subarray(...range))));
}

/** The only field of an RPC's reply, a repeated message. @throws Error when the reply is something else */
export function listOf(method: DescMethodUnary): DescField & { message: DescMessage } {
  const [list, ...others] = method.output.fields;
  if (list?.fieldKind === "list" && list.message !== undefined && others.length === 0) return list;
  throw new Error(`${method} does not answer with a list of messages`);
}
