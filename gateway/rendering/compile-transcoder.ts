import { isUtf8 } from "node:buffer";
import { type DescField, type DescMessage, fromBinary, getOption, ScalarType } from "@bufbuild/protobuf";
import { as, JsonForm, omit_empty } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { publicFields, publicName } from "../public-fields.ts";
import { compileWriter } from "./compile-writer.ts";
import { compileFills } from "./fills.ts";
import { JsonBytes } from "./json-bytes.ts";
import { isOptional } from "./scalar-text.ts";
import { bit64, lengthDelimited, rangesOf, unusual, varint, WireReader } from "./wire-reader.ts";

/**
 * Writes a message that came as protobuf as JSON in UTF-8, the very bytes that its Writer writes, without making the
 * message: most of what a service sends is text, which is the same in both.
 * @throws Error as `fromBinary` and the Writer do
 */
export type Transcoder = (wire: Uint8Array) => Buffer;

/**
 * Compiles the transcoder of a message. Throws as compileWriter does.
 * @param otherwise writes what no encoder of ours sends, though protobuf allows it, and says what is broken
 */
export function compileTranscoder(message: DescMessage, otherwise = asMessage(message)): Transcoder {
  const writeWhole = new Compilation(message).whole;
  return (wire) => {
    try {
      json.clear();
      writeWhole(wire);
      const bytes = json.take();
      if (isUtf8(bytes)) return bytes;
    } catch (error) {
      if (error !== unusual) throw error;
    }
    return Buffer.from(otherwise(wire));
  };
}

function asMessage(message: DescMessage): (wire: Uint8Array) => string {
  const write = compileWriter(message);
  return (wire) => write(fromBinary(message, wire));
}

/** Where all transcoders write: each finishes before another begins. */
const json = new JsonBytes();

/** Adds a value; the reader is at its beginning, and then at its end. */
type WriteValue = (wire: WireReader) => void;

/** A field, by its place among the public ones of its message. */
interface FieldPlan {
  place: number;
  /** `,"key":` */
  key: Uint8Array;
  wireType: number;
  /** What to add where the field is not in the wire; empty for nothing. */
  absent: Uint8Array;
  /** Adds the value, of whose field the tag has been read. */
  write(wire: WireReader, tag: number): void;
  /** What a fill says of it; then it is not in the wire. */
  filled: Filled | undefined;
}

/** The JSON of a message that fills a field of many. */
interface Filled {
  bytes: Uint8Array | undefined;
}

interface MessagePlan {
  /** By field number; of what is not for the public, whether it is text. */
  byNumber: (FieldPlan | "text" | "other")[];
  inOrder: FieldPlan[];
}

class Compilation {
  readonly #plans = new Map<DescMessage, MessagePlan>();
  readonly #filled = new Map<DescField, Filled>();
  /** Writes a whole message of the type that this was made for. */
  readonly whole: (wire: Uint8Array) => void;

  constructor(message: DescMessage) {
    const fills = compileFills(message).map(({ source, target }) => {
      const filled: Filled = { bytes: undefined };
      this.#filled.set(target, filled);
      return { number: source.number, filled, plan: this.#planOf(target.message as DescMessage) };
    });
    const plan = this.#planOf(message);
    this.whole = (wire) => {
      for (const { number, filled, plan } of fills) {
        const [range, second] = rangesOf(wire, number);
        if (second !== undefined) throw unusual;
        filled.bytes = undefined;
        if (range === undefined) continue;
        writeMessage(plan, new WireReader(wire, range[0], range[1]));
        filled.bytes = json.take();
        if (!isUtf8(filled.bytes)) throw unusual;
        json.clear();
      }
      writeMessage(plan, new WireReader(wire));
    };
  }

  #planOf(message: DescMessage): MessagePlan {
    const known = this.#plans.get(message);
    if (known !== undefined) return known;
    const plan: MessagePlan = { byNumber: [], inOrder: [] };
    this.#plans.set(message, plan);
    const fields = publicFields(message);
    if (fields.some(({ number }, place) => number <= (fields[place - 1]?.number ?? 0))) {
      throw new Error(`The fields of ${message} do not stand in the order of their numbers`);
    }
    for (const { number, scalar } of message.fields) {
      plan.byNumber[number] = scalar === ScalarType.STRING ? "text" : "other";
    }
    for (const [place, field] of fields.entries()) {
      const fieldPlan = this.#fieldPlan(field, place);
      plan.inOrder.push(fieldPlan);
      plan.byNumber[field.number] = fieldPlan;
    }
    return plan;
  }

  #fieldPlan(field: DescField, place: number): FieldPlan {
    const key = `,${JSON.stringify(publicName(field))}:`;
    return {
      place,
      key: Buffer.from(key),
      wireType: wireTypeOf(field),
      absent: Buffer.from(absentText(field, key)),
      write: this.#fieldWriter(field),
      filled: this.#filled.get(field),
    };
  }

  #fieldWriter(field: DescField): FieldPlan["write"] {
    const write = this.#valueWriter(field);
    if (field.fieldKind === "map") return mapWriter(write, (2 << 3) | valueType(field));
    if (field.fieldKind !== "list") return write;
    return field.listKind === "scalar" && field.scalar !== ScalarType.STRING
      ? packedListWriter(write)
      : listWriter(write);
  }

  /** Writes a value of a field, an element of a list, or a value of a map. */
  #valueWriter(field: DescField): WriteValue {
    if (field.message !== undefined) {
      const plan = this.#planOf(field.message);
      return (wire) => {
        const outer = wire.enter();
        writeMessage(plan, wire);
        wire.leave(outer);
      };
    }
    const form = getOption(field, as);
    switch (field.scalar) {
      case ScalarType.STRING:
        return (wire) => wire.string(json);
      case ScalarType.BOOL:
        return inForm(form === JsonForm.STRING, (wire) => `${wire.bool()}`);
      case ScalarType.INT32:
        return inForm(form === JsonForm.STRING, (wire) => `${wire.int32()}`);
      case ScalarType.INT64:
        return inForm(form !== JsonForm.NUMBER, (wire) => wire.int64Text());
      case ScalarType.DOUBLE:
        return (wire) => json.addAscii(finiteText(wire.double()));
      default:
        throw new Error(`${field} is of a kind that a public reply cannot have`);
    }
  }
}

function inForm(isQuoted: boolean, text: (wire: WireReader) => string): WriteValue {
  return isQuoted ? (wire) => json.addAscii(`"${text(wire)}"`) : (wire) => json.addAscii(text(wire));
}

function finiteText(value: number): string {
  // The Writer says what is wrong.
  if (!Number.isFinite(value)) throw unusual;
  return `${value}`;
}

function listWriter(write: WriteValue): FieldPlan["write"] {
  return (wire, tag) => {
    const start = json.length;
    do {
      json.addByte(comma);
      write(wire);
    } while (wire.tagIs(tag));
    close(start, "[]");
  };
}

function packedListWriter(write: WriteValue): FieldPlan["write"] {
  return (wire) => {
    const start = json.length;
    const outer = wire.enter();
    while (!wire.isAtEnd()) {
      json.addByte(comma);
      write(wire);
    }
    wire.leave(outer);
    close(start, "[]");
  };
}

/** Writes a map in the order of the wire, which is that of the message's object but for keys that are numbers. */
function mapWriter(write: WriteValue, valueTag: number): FieldPlan["write"] {
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
      if (/^"\d/.test(key) || keys.has(key) || wire.tag() !== valueTag) throw unusual;
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

function wireTypeOf(field: DescField): number {
  // Lists of numbers are packed.
  return field.fieldKind === "list" || field.fieldKind === "map" ? lengthDelimited : valueType(field);
}

function valueType(field: DescField): number {
  if (field.message !== undefined || field.scalar === ScalarType.STRING) return lengthDelimited;
  return field.scalar === ScalarType.DOUBLE ? bit64 : varint;
}

function absentText(field: DescField, key: string): string {
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    if (getOption(field, omit_empty)) return "";
    return `${key}${field.fieldKind === "list" ? "[]" : "{}"}`;
  }
  if (field.fieldKind === "message" || isOptional(field)) return "";
  const isQuoted = getOption(field, as) === JsonForm.STRING;
  switch (field.scalar) {
    case ScalarType.STRING:
      return `${key}""`;
    case ScalarType.BOOL:
      return `${key}${isQuoted ? '"false"' : "false"}`;
    case ScalarType.INT64:
      return `${key}${getOption(field, as) === JsonForm.NUMBER ? "0" : '"0"'}`;
    default:
      return `${key}${isQuoted ? '"0"' : "0"}`;
  }
}

/** Adds an object: each field with the comma before it, of which the first then becomes the brace. */
function writeMessage({ byNumber, inOrder }: MessagePlan, wire: WireReader): void {
  const start = json.length;
  let next = 0;
  while (!wire.isAtEnd()) {
    const tag = wire.tag();
    const field = byNumber[tag >>> 3];
    if (field === "text") {
      wire.skipText();
      continue;
    }
    if (field === undefined || field === "other") {
      wire.skip(tag & 7);
      continue;
    }
    if (field.place < next || (tag & 7) !== field.wireType || field.filled !== undefined) throw unusual;
    for (; next < field.place; next++) writeAbsent(inOrder[next] as FieldPlan);
    json.add(field.key);
    field.write(wire, tag);
    next = field.place + 1;
  }
  for (; next < inOrder.length; next++) writeAbsent(inOrder[next] as FieldPlan);
  close(start, "{}");
}

/** Makes the comma before the first of several the opening bracket, also where there is none. */
function close(start: number, brackets: "{}" | "[]"): void {
  if (json.length === start) json.addByte(0);
  json.set(start, brackets.charCodeAt(0));
  json.addByte(brackets.charCodeAt(1));
}

function writeAbsent({ key, absent, filled }: FieldPlan): void {
  if (filled === undefined) return json.add(absent);
  if (filled.bytes === undefined) return;
  json.add(key);
  json.add(filled.bytes);
}
