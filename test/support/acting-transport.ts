import { type DescMethod, getOption } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { actor } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";

/** Sends the header of the signed-in user with each call whose request names an actor, unless the call has that header. */
export function actingTransport(transport: Transport): Transport {
  return {
    ...transport,
    // oxlint-disable-next-line max-params -- the signature is that of Connect's Transport
    unary(method, signal, timeoutMs, header, input, contextValues) {
      const headers = new Headers(header);
      const acting = actorOf(method, input as Record<string, unknown>);
      if (acting !== undefined && !headers.has(viewerHeader)) headers.set(viewerHeader, acting);
      return transport.unary(method, signal, timeoutMs, headers, input, contextValues);
    },
  };
}

function actorOf({ input }: DescMethod, message: Record<string, unknown>): string | undefined {
  const field = input.fields.find((field) => getOption(field, actor));
  const id = field && message[field.localName];
  return typeof id === "bigint" ? id.toString() : undefined;
}
