import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { sent_as } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { decodeReply } from "../calls/raw-call.ts";
import { exposedHeaders } from "../http/replies/common-headers.ts";

/** The headers of a reply: the fields of its message that are sent there and not in the JSON (annotations.proto, sent_as). */
export type ReplyHeaders = (wire: Uint8Array) => Readonly<Record<string, string>>;

/** Compiles the headers of a reply message; pages of other origins may read them. They throw ConnectError for an unreadable one. */
export function compileReplyHeaders(message: DescMessage): ReplyHeaders {
  const fields = message.fields.filter((field) => readOption(field, sent_as));
  if (fields.length === 0) return () => none;
  const names = fields.map((field) => readOption(field, sent_as));
  const exposed = { "Access-Control-Expose-Headers": [exposedHeaders, ...names].join(", ") };
  return (wire) => {
    const values = decodeReply(() => fromBinary(message, wire)) as unknown as Record<string, unknown>;
    const headers = fields.map(({ localName }, index) => [names[index] as string, `${values[localName]}`] as const);
    return { ...exposed, ...Object.fromEntries(headers) };
  };
}

const none = {};
