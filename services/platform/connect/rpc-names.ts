import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";

/** The name of an RPC as in its URL. */
export function rpcName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** Whether an RPC changes nothing, as its options say. */
export function isReadOnly({ idempotency }: DescMethod): boolean {
  return idempotency === Idempotency.NO_SIDE_EFFECTS;
}

/** The code of a failed RPC: Internal for an error that is no ConnectError. */
export function codeOf(error: unknown): Code {
  return error instanceof ConnectError ? error.code : Code.Internal;
}

/** The name of that code, such as `NotFound`. */
export function codeName(error: unknown): string {
  return Code[codeOf(error)] as string;
}
