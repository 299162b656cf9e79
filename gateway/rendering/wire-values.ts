import { create, type DescField, ScalarType } from "@bufbuild/protobuf";
import { omit_empty } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { JsonBytes } from "./json-bytes.ts";
import { isOptional, scalarText } from "./scalar-text.ts";
import { bit64, lengthDelimited, unusual, varint, type WireReader } from "./wire-reader.ts";

/** The output of all transcoders: each finishes before another begins. */
export const json = new JsonBytes();

/** Adds a value, from whose beginning the reader moves to its end. */
export type WriteValue = (wire: WireReader) => void;

/** Adds one of several values; the tag of its field has been read. */
type WriteTagged = (wire: WireReader, tag: number) => void;

/** Writes a value of a field of scalars, in the form that scalar-text.ts gives it. */
export function scalarWriter(field: DescField): WriteValue {
  const text = scalarText(field) as (value: boolean | number | string) => string;
  switch (field.scalar) {
    case ScalarType.STRING:
      return (wire) => wire.string(json);
    case ScalarType.BOOL:
      return (wire) => json.addAscii(text(wire.bool()));
    case ScalarType.INT32:
      return (wire) => json.addAscii(text(wire.int32()));
    case ScalarType.INT64:
      return (wire) => json.addAscii(text(wire.int64Text()));
    default:
      return (wire) => json.addAscii(text(wire.double()));
  }
}

export function listWriter(write: WriteValue): WriteTagged {
  return (wire, tag) => {
    const start = json.length;
    do {
      json.addByte(comma);
      write(wire);
    } while (wire.tagIs(tag));
    close(start, "[]");
  };
}

export function packedListWriter(write: WriteValue): WriteTagged {
  return (wire) => {
    const start = json.length;
    const outer = wire.enter();
    while (!wire.isAtEnd()) {
      json.addByte(comma);
      write(wire);
    }
    wire.leave(outer);
    // Encoders send no list without elements.
    if (json.length === start) throw unusual;
    close(start, "[]");
  };
}

/** Writes a map in the order of the wire. */
export function mapWriter(write: WriteValue, valueTag: number): WriteTagged {
  return (wire, tag) => {
    const start = json.length;
    const keys = new Set<string>();
    do {
      const outer = wire.enter();
      if (wire.tag() !== mapKey) throw unusual;
      json.addByte(comma);
      const from = json.length;
      wire.string(json);
      const key = json.take(from).toString("latin1");
      if (keys.has(key) || wire.tag() !== valueTag) throw unusual;
      keys.add(key);
      json.addByte(colon);
      write(wire);
      wire.leave(outer);
    } while (wire.tagIs(tag));
    close(start, "{}");
  };
}

const comma = 0x2c;
const colon = 0x3a;
/** The tag of a map entry's key. */
const mapKey = (1 << 3) | lengthDelimited;

export function wireTypeOf(field: DescField): number {
  // Lists of numbers are packed.
  return field.fieldKind === "list" || field.fieldKind === "map" ? lengthDelimited : valueType(field);
}

export function valueType(field: DescField): number {
  if (field.message !== undefined || field.scalar === ScalarType.STRING) return lengthDelimited;
  return field.scalar === ScalarType.DOUBLE ? bit64 : varint;
}

/** The JSON of a field that is not in the wire: its zero, or nothing. */
export function absentText(field: DescField, key: string): string {
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    if (readOption(field, omit_empty)) return "";
    return `${key}${field.fieldKind === "list" ? "[]" : "{}"}`;
  }
  if (field.fieldKind === "message" || isOptional(field)) return "";
  const zeros = create(field.parent) as unknown as Record<string, never>;
  return key + scalarText(field)(zeros[field.localName] as never);
}

/** Encloses what was written from `start` on, a comma before each value, in brackets: the first comma becomes the opening one. */
export function close(start: number, brackets: "{}" | "[]"): void {
  if (json.length === start) json.addByte(0);
  json.set(start, brackets.charCodeAt(0));
  json.addByte(brackets.charCodeAt(1));
}
