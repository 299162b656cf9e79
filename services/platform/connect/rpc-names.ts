import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

/** The name of an RPC as in its URL. */
export function rpcName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** The code of a failed RPC: Internal for an error that is no ConnectError. */
export function codeOf(error: unknown): Code {
  return error instanceof ConnectError ? error.code : Code.Internal;
}

/** The name of that code, such as `NotFound`. */
export function codeName(error: unknown): string {
  return Code[codeOf(error)] as string;
}
