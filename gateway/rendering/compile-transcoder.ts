import { type DescField, type DescMessage, fromBinary, ScalarType, toBinary } from "@bufbuild/protobuf";
import { oncePer } from "../../services/platform/once-per.ts";
import { compileFills, publicFields, publicName } from "./public-fields.ts";
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
 * Writes a message that came as protobuf as JSON in UTF-8: no white space, keys in the order of the proto file (design §3).
 * No message object is made: most of what a service sends is text, which is the same in both forms.
 * @throws Error for bytes that are no such message, and for numbers that JSON does not have
 */
export type Transcoder = (wire: Uint8Array) => Buffer;

/** Compiles the transcoder of a message and of all messages in it. @throws Error when the contract cannot express a field */
export const compileTranscoder = oncePer((message: DescMessage): Transcoder => {
  const write = compileCanonical(message);
  return (wire) => {
    try {
      return write(wire);
    } catch (error) {
      if (error !== unusual) throw error;
    }
    // Protobuf's library reads any valid form, and encodes it in the one form that is read here.
    return write(toBinary(message, fromBinary(message, wire), { writeUnknownFields: false }));
  };
});

/** The same for the one form that our encoders write; throws `unusual` at any other. */
export function compileCanonical(message: DescMessage): Transcoder {
  return new Compilation(message).whole;
}

/** A field, by its index among the public ones of its message. */
interface FieldPlan {
  index: number;
  /** `,"key":` */
  key: Uint8Array;
  wireType: number;
  /** What to add where the service sent no such field; empty for nothing. */
  absent: Uint8Array;
  /** Adds the value; the tag of its field has been read. */
  write(wire: WireReader, tag: number): void;
  /** The value that a fill gives it, whatever the service sent. */
  filled: Filled | undefined;
}

/** The JSON of a message that fills a field of many. */
interface Filled {
  bytes: Uint8Array | undefined;
}

interface MessagePlan {
  /** By field number; without fields that are not public. */
  byNumber: (FieldPlan | undefined)[];
  inOrder: FieldPlan[];
}

class Compilation {
  readonly #plans = new Map<DescMessage, MessagePlan>();
  readonly #filled = new Map<DescField, Filled>();
  /** The JSON of a whole message of the type that this was made for. @throws `unusual` too */
  readonly whole: Transcoder;

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
        filled.bytes = range && written(plan, new WireReader(wire, ...range));
      }
      return written(plan, new WireReader(wire));
    };
  }

  #planOf(message: DescMessage): MessagePlan {
    const known = this.#plans.get(message);
    if (known !== undefined) return known;
    const plan: MessagePlan = { byNumber: [], inOrder: [] };
    this.#plans.set(message, plan);
    const fields = publicFields(message);
    if (fields.some(({ number }, index) => number <= (fields[index - 1]?.number ?? 0))) {
      throw new Error(`The fields of ${message} are not in the order of their numbers`);
    }
    for (const [index, field] of fields.entries()) {
      const fieldPlan = this.#fieldPlan(field, index);
      plan.inOrder.push(fieldPlan);
      plan.byNumber[field.number] = fieldPlan;
    }
    return plan;
  }

  #fieldPlan(field: DescField, index: number): FieldPlan {
    const key = `,${JSON.stringify(publicName(field))}:`;
    return {
      index,
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

function written(plan: MessagePlan, wire: WireReader): Buffer {
  json.clear();
  writeMessage(plan, wire);
  if (!json.isUtf8()) throw unusual;
  return json.take();
}

/** Adds an object. Each field is written with a comma before it; the first comma is then replaced by the brace. */
function writeMessage({ byNumber, inOrder }: MessagePlan, wire: WireReader): void {
  const start = json.length;
  let next = 0;
  while (!wire.isAtEnd()) {
    const tag = wire.tag();
    const field = byNumber[tag >>> 3];
    if (field === undefined || field.filled !== undefined) {
      wire.skip(tag & 7);
      continue;
    }
    if (field.index < next || (tag & 7) !== field.wireType) throw unusual;
    for (; next < field.index; next++) writeAbsent(inOrder[next] as FieldPlan);
    json.add(field.key);
    field.write(wire, tag);
    next = field.index + 1;
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
