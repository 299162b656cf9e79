import { isUtf8 } from "node:buffer";
import { type DescField, type DescMessage, fromBinary, getOption, ScalarType } from "@bufbuild/protobuf";
import { fills } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { compileWriter } from "./compile-writer.ts";
import { compileFills } from "./fills.ts";
import { publicFields, publicName } from "./public-fields.ts";
import { rangesOf, unusual, WireReader } from "./wire-reader.ts";
import {
  absentText,
  close,
  json,
  listWriter,
  mapWriter,
  packedListWriter,
  scalarWriter,
  valueType,
  type WriteValue,
  wireTypeOf,
} from "./wire-values.ts";

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
  /** By field number. Of what is not for the public: text, a message that fills others, or something else. */
  byNumber: (FieldPlan | "text" | "fill" | "other")[];
  inOrder: FieldPlan[];
}

class Compilation {
  readonly #plans = new Map<DescMessage, MessagePlan>();
  readonly #filled = new Map<DescField, Filled>();
  /** Writes a whole message of the type that this was made for. */
  readonly whole: (wire: Uint8Array) => void;

  constructor(message: DescMessage) {
    const filling = compileFills(message).map(({ source, target }) => {
      const filled: Filled = { bytes: undefined };
      this.#filled.set(target, filled);
      return { number: source.number, filled, plan: this.#planOf(target.message as DescMessage) };
    });
    const plan = this.#planOf(message);
    this.whole = (wire) => {
      for (const { number, filled, plan } of filling) {
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
      throw new Error(`The fields of ${message} are not in the order of their numbers`);
    }
    for (const field of message.fields) plan.byNumber[field.number] = internalKind(field);
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
    return scalarWriter(field);
  }
}

function internalKind(field: DescField): "text" | "fill" | "other" {
  if (getOption(field, fills) !== "") return "fill";
  return field.scalar === ScalarType.STRING && field.fieldKind === "scalar" ? "text" : "other";
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
    if (field === undefined || field === "fill") {
      wire.skip(tag & 7);
      continue;
    }
    if (field === "other") throw unusual;
    if (field.place < next || (tag & 7) !== field.wireType || field.filled !== undefined) throw unusual;
    for (; next < field.place; next++) writeAbsent(inOrder[next] as FieldPlan);
    json.add(field.key);
    field.write(wire, tag);
    next = field.place + 1;
  }
  for (; next < inOrder.length; next++) writeAbsent(inOrder[next] as FieldPlan);
  close(start, "{}");
}

function writeAbsent({ key, absent, filled }: FieldPlan): void {
  if (filled === undefined) return json.add(absent);
  if (filled.bytes === undefined) return;
  json.add(key);
  json.add(filled.bytes);
}
