import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { RawCall } from "../calls/raw-call.ts";
import type { Transcoder } from "../rendering/compile-transcoder.ts";

/** An operation, as far as reads need it. */
export interface ReadOperation {
  name: string;
  method: DescMethodUnary;
  /** The transport to its service for calls that several callers share. */
  transport: Transport;
  isRead: boolean;
  /** The JSON of a reply without anything in it. */
  emptyReply: Buffer;
  call: RawCall;
  /** The JSON of a reply. @throws ConnectError when it cannot be read */
  render: Transcoder;
}
