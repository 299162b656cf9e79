import type { DescField, DescMessage, DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { lengthDelimited, WireReader } from "../rendering/wire-reader.ts";

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
  // A message without fields retains the whole reply as unknown fields, undecoded (protobuf.dev, Unknown Fields).
  const unread: DescMethodUnary = { ...method, output: EmptySchema };
  return async (request, deadline) => {
    const input = request as MessageInitShape<typeof method.input>;
    const { message } = await transport.unary(unread, undefined, millisecondsUntil(deadline), {}, input);
    try {
      const elements = (message.$unknown ?? []).filter(({ no }) => no === list.number);
      return elements.map(({ wireType, data }) => {
        if (wireType !== lengthDelimited) throw new Error(`an element of wire type ${wireType}`);
        const [from, to] = new WireReader(data).range();
        return read(data.subarray(from, to));
      });
    } catch (error) {
      // The same code as for every other unreadable reply of a service (transport-errors.ts).
      throw new ConnectError("the list cannot be read", Code.Unavailable, undefined, undefined, error);
    }
  };
}

/** The only field of an RPC's reply, a repeated message. @throws Error when the reply is something else */
export function listOf(method: DescMethodUnary): DescField & { message: DescMessage } {
  const [list, ...others] = method.output.fields;
  if (list?.fieldKind === "list" && list.message !== undefined && others.length === 0) return list;
  throw new Error(`${method} does not answer with a list of messages`);
}
