import type { UnknownField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ImportedStatusSchema, ImportStatusesRequestSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";

/** The fields of an encoded status that the tool needs to send it. */
export interface StatusHead {
  /** The id at the origin. */
  originId: string;
  /** The id at the origin of the status that it replies to; "" without one. */
  answers: string;
  /** The id at the origin of the status that it reposts; "" without one. */
  reposts: string;
  /** As the origin writes it, to the second. */
  createdAt: string;
}

/** Reads the head of an encoded ImportedStatus. To decode all of it would take three times as long. */
export function readHead(status: Uint8Array): StatusHead {
  const head = { originId: "", answers: "", reposts: "", createdAt: "" };
  for (const reader = new BinaryReader(status); reader.pos < reader.len; ) {
    const [number, wireType] = reader.tag();
    if (number === originId.number) head.originId = reader.string();
    else if (number === inReplyToStatusOriginId.number) head.answers = reader.string();
    else if (number === repostOfStatusOriginId.number) head.reposts = reader.string();
    else if (number === content.number) head.createdAt ||= readCreatedAt(reader.bytes());
    else reader.skip(wireType, number);
  }
  return head;
}

function readCreatedAt(status: Uint8Array): string {
  for (const reader = new BinaryReader(status); reader.pos < reader.len; ) {
    const [number, wireType] = reader.tag();
    if (number === StatusSchema.field.createdAt.number) return reader.string();
    reader.skip(wireType, number);
  }
  return "";
}

/** Encoded ImportedStatuses, each with its author's id here, as the fields of an ImportStatusesRequest. At least one. */
export function statusFields(encoded: readonly { bytes: Uint8Array; authorId: bigint }[]): UnknownField {
  const writer = new BinaryWriter();
  const [no, wireType] = [statuses.number, WireType.LengthDelimited];
  for (const { bytes, authorId: author } of encoded) {
    writer.tag(no, wireType).fork().tag(authorId.number, WireType.Varint).int64(author).raw(bytes).join();
  }
  // The library writes the first tag itself.
  const data = writer.finish();
  const first = new BinaryReader(data);
  first.tag();
  return { no, wireType, data: data.subarray(first.pos) };
}

const {
  authorId,
  originId,
  status: content,
  inReplyToStatusOriginId,
  repostOfStatusOriginId,
} = ImportedStatusSchema.field;
const { statuses } = ImportStatusesRequestSchema.field;
