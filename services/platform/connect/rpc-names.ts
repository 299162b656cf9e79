import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

/** The name of an RPC as it is in its URL. */
export function rpcName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** What a failed RPC is called: what is no error of a service is Internal. */
export function codeOf(error: unknown): Code {
  return error instanceof ConnectError ? error.code : Code.Internal;
}

/** The same in words, such as `NotFound`. */
export function codeName(error: unknown): string {
  return Code[codeOf(error)] as string;
}
