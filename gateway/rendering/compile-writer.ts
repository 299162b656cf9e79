import { type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { omit_empty } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { compileFills, type Fill } from "./fills.ts";
import { publicFields, publicName } from "./public-fields.ts";
import { isOptional, scalarText } from "./scalar-text.ts";

/** Writes a message as JSON text: no white space, keys in the order of the proto file (design §3). */
export type Writer = (message: Message) => string;

/** Compiles the writer of a message and of all messages in it. Throws when the contract cannot express a field. */
export function compileWriter(message: DescMessage): Writer {
  const fills = compileFills(message);
  const write = new Compilation(fills).messageWriter(message);
  if (fills.length === 0) return write;
  return (reply) => {
    for (const fill of fills) fill.apply(reply);
    return write(reply);
  };
}

/** A field's JSON value, or undefined when it is left out. */
type ValueText = (value: never) => string | undefined;

interface FieldWriter {
  localName: string;
  /** `"key":` for the first field that is written, `,"key":` for the others. */
  firstKey: string;
  nextKey: string;
  write: ValueText;
}

/** Holds one writer per message type, so that types may contain each other. */
class Compilation {
  readonly #writers = new Map<DescMessage, Writer>();
  readonly #filled: ReadonlySet<DescField>;

  constructor(fills: readonly Fill[]) {
    this.#filled = new Set(fills.map((fill) => fill.target));
  }

  messageWriter(message: DescMessage): Writer {
    const known = this.#writers.get(message);
    if (known !== undefined) return known;
    const fields: FieldWriter[] = [];
    const write = objectWriter(fields);
    this.#writers.set(message, write);
    fields.push(...publicFields(message).map((field) => this.#fieldWriter(field)));
    return write;
  }

  #fieldWriter(field: DescField): FieldWriter {
    const firstKey = `${JSON.stringify(publicName(field))}:`;
    return { localName: field.localName, firstKey, nextKey: `,${firstKey}`, write: this.#valueText(field) };
  }

  #valueText(field: DescField): ValueText {
    const omitEmpty = getOption(field, omit_empty);
    switch (field.fieldKind) {
      case "scalar":
        return isOptional(field) ? orNothing(scalarText(field)) : scalarText(field);
      case "message": {
        const write = this.messageWriter(field.message);
        return orNothing(this.#filled.has(field) ? writtenOnce(write) : write);
      }
      case "list":
        return listText(
          field.listKind === "message" ? this.messageWriter(field.message) : scalarText(field),
          omitEmpty,
        );
      case "map":
        return mapText(field.mapKind === "message" ? this.messageWriter(field.message) : scalarText(field), omitEmpty);
      default:
        throw new Error(`${field} is of a kind that a public reply cannot have`);
    }
  }
}

function objectWriter(fields: readonly FieldWriter[]): Writer {
  return (message) => {
    const values = message as unknown as Record<string, never>;
    let text = "{";
    for (const field of fields) {
      const value = field.write(values[field.localName] as never);
      if (value !== undefined) text += (text.length === 1 ? field.firstKey : field.nextKey) + value;
    }
    return `${text}}`;
  };
}

function orNothing<T>(write: (value: T) => string): (value: T | undefined) => string | undefined {
  return (value) => (value === undefined ? undefined : write(value));
}

/** Remembers the last text: a message that fills a whole list is written for its first element only. */
function writtenOnce(write: Writer): Writer {
  let last: Message | undefined;
  let text = "";
  return (message) => {
    if (message !== last) {
      text = write(message);
      last = message;
    }
    return text;
  };
}

function listText<T>(write: (item: T) => string, omitEmpty: boolean) {
  return (items: readonly T[]) => {
    if (omitEmpty && items.length === 0) return undefined;
    let text = "[";
    for (const item of items) text += text.length === 1 ? write(item) : `,${write(item)}`;
    return `${text}]`;
  };
}

function mapText<T>(write: (item: T) => string, omitEmpty: boolean) {
  return (items: Readonly<Record<string, T>>) => {
    const entries = Object.entries(items);
    if (omitEmpty && entries.length === 0) return undefined;
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(",")}}`;
  };
}
