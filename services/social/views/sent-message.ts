import { create, type DescField, ScalarType, toBinary } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { GeoSchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { WireWriter } from "../../platform/connect/wire-writer.ts";
import { contractDate } from "../../platform/contract-date.ts";
import { readSentRow, sentDate, type TakeColumn, timestamptz } from "../../platform/postgres/sent-row.ts";
import type { SentField } from "../store/sent-fields.ts";
import { entitiesView } from "./entities.ts";

/** The output of all encoded views: each finishes before another begins. */
export const wire = new WireWriter();

/**
 * Compiles the encoding of a row that came by `sentRow` as fields of a message. No object is made of it: most of a page is text,
 * which is the same in Postgres and in protobuf. The result takes the offset of a row and returns that of the next one.
 */
export function compileSent(fields: readonly SentField[]): (rows: Buffer, at: number) => number {
  const columns = fields.map(({ field }) => columnWriter(field));
  return (rows, at) => readSentRow(rows, at, columns);
}

function columnWriter(field: DescField): TakeColumn {
  if (field.message === EntitiesSchema) return entitiesWriter(field.number);
  if (field.message === GeoSchema) return pointWriter(field.number);
  // An empty value of any other field is left out.
  const isOptional = field.presence === FeatureSet_FieldPresence.EXPLICIT;
  switch (field.scalar) {
    case ScalarType.STRING:
      return (bytes, at, length, type) => {
        if (type === timestamptz) wire.text(field.number, contractDate(sentDate(bytes, at)));
        else if (length > 0 || isOptional) wire.bytes(field.number, bytes, at, at + length);
      };
    case ScalarType.BOOL:
      return (bytes, at) => {
        if (bytes[at] === 1 || isOptional) wire.int64(field.number, 0, bytes[at] as number);
      };
    case ScalarType.INT32:
    case ScalarType.INT64:
      return (bytes, at, length) => {
        const low = bytes.readInt32BE(at + length - 4);
        const high = length === 8 ? bytes.readInt32BE(at) : low >> 31;
        if (low !== 0 || high !== 0 || isOptional) wire.int64(field.number, high, low);
      };
    default:
      throw new Error(`${field} is of a kind that no column has`);
  }
}

function entitiesWriter(number: number): TakeColumn {
  return (bytes, at, length) => {
    const isNone = length === noEntities.length && noEntities.compare(bytes, at, at + length) === 0;
    if (isNone) return wire.bytes(number, noBytes);
    // After the byte with the version of the form.
    const stored = JSON.parse(bytes.toString("utf8", at + 1, at + length));
    wire.bytes(number, toBinary(EntitiesSchema, entitiesView(stored)));
  };
}

/** The jsonb of most statuses. */
const noEntities = Buffer.from('\x01{"urls": [], "hashtags": [], "userMentions": []}');
const noBytes = new Uint8Array();

function pointWriter(number: number): TakeColumn {
  // Protobuf's doubles have their bytes in the other order.
  return (bytes, at, length) =>
    wire.bytes(number, Buffer.concat([pointHead, Buffer.from(bytes.subarray(at, at + length)).swap64()]));
}

/** A point without its two numbers, which are written last. */
const pointHead = toBinary(GeoSchema, create(GeoSchema, { type: "Point", coordinates: [0, 0] })).subarray(0, -16);
