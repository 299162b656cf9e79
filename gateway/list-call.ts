import type { DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { lengthDelimited, WireReader } from "./rendering/wire-reader.ts";

/** Calls an RPC that answers with a list of messages; gives each as it came, unread. Rejects with ConnectError. */
export type ListCall<I extends Message> = (request: I) => Promise<Uint8Array[]>;

/**
 * The call of an RPC whose reply is a list: one repeated message.
 * @throws Error when its reply is something else
 */
export function listCall<I extends Message>(method: DescMethodUnary, transport: Transport): ListCall<I> {
  const [list, ...others] = method.output.fields;
  if (list?.fieldKind !== "list" || list.message === undefined || others.length > 0) {
    throw new Error(`${method} does not answer with a list of messages`);
  }
  // Of a message without fields everything is unknown, and kept as it came (protobuf.dev, Unknown Fields).
  const unread: DescMethodUnary = { ...method, output: EmptySchema };
  return async (request) => {
    const input = request as MessageInitShape<typeof method.input>;
    const { message } = await transport.unary(unread, undefined, undefined, {}, input);
    return (message.$unknown ?? [])
      .filter(({ no, wireType }) => no === list.number && wireType === lengthDelimited)
      .map(({ data }) => {
        const [from, to] = new WireReader(data).range();
        return data.subarray(from, to);
      });
  };
}
