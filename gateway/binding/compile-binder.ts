import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type BadField, badField } from "../../services/platform/errors.ts";
import { unreadableFields } from "../errors/catalog.ts";
import { publicFields, publicName } from "../public-fields.ts";
import { Fault } from "./fault.ts";
import { type FieldReader, fieldReader, type Value } from "./field-readers.ts";
import type { Pairs } from "./form-pairs.ts";

export type JsonObject = Record<string, unknown>;

/**
 * Makes a request message of a JSON body and of named texts, weakest source first: path, query, form (contract §2).
 * Throws SerializationException naming every field that cannot be read.
 */
export type Binder = (json: JsonObject, texts: readonly Pairs[]) => Message;

/** Compiles the binder of a request message. Throws when the contract cannot express one of its fields. */
export function compileBinder(message: DescMessage): Binder {
  const fields = publicFields(message).map(compileField);
  const positions = new Map(fields.map(({ name }, position) => [name.toLowerCase(), position]));
  if (positions.size < fields.length) throw new Error(`${message} has field names that differ in case only`);
  return (json, texts) => {
    const layers = [jsonLayer(positions, json), ...texts.map((pairs) => textLayer(positions, pairs))];
    const request = create(message) as Message & Record<string, unknown>;
    const bad: BadField[] = [];
    fields.forEach((field, position) => {
      const value = strongest(field.reader, layers, position);
      if (value instanceof Fault) bad.push(badField(field.name, "SerializationException", field.sentence(value)));
      else if (value !== undefined) request[field.localName] = value;
    });
    if (bad.length > 0) throw unreadableFields(bad);
    return request;
  };
}

/** The names of the request fields that a binder binds, in lower case. */
export function bindableNames(message: DescMessage): Set<string> {
  return new Set(publicFields(message).map((field) => publicName(field).toLowerCase()));
}

function compileField(field: ReturnType<typeof publicFields>[number]) {
  const reader = fieldReader(field);
  if (reader === undefined) throw new Error(`${field} is of a kind that a public request cannot have`);
  const name = publicName(field);
  const label = words(name);
  return { name, localName: field.localName, reader, sentence: (fault: Fault) => `'${label}' ${fault.reason}` };
}

// sinceId → Since Id, as the contract's messages call fields.
function words(name: string): string {
  return name.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/** What one source says, by position of the field. */
type Layer = ((reader: FieldReader) => Value | Fault | undefined)[];

function jsonLayer(positions: ReadonlyMap<string, number>, json: JsonObject): Layer {
  const layer: Layer = [];
  // Object.keys and a Map: "__proto__" and "constructor" are names like any other here, and unknown ones.
  for (const key of Object.keys(json)) {
    const position = positions.get(key.toLowerCase());
    const value = json[key];
    // Of keys that differ in case only the last one counts; null is as good as not there.
    if (position !== undefined && value !== null) layer[position] = (reader) => reader.readJson(value);
  }
  return layer;
}

function textLayer(positions: ReadonlyMap<string, number>, pairs: Pairs): Layer {
  const texts: string[][] = [];
  for (const [name, text] of pairs) {
    const position = positions.get(name.toLowerCase());
    if (position !== undefined) (texts[position] ??= []).push(text);
  }
  return texts.map((given) => (reader) => reader.readTexts(given));
}

/** The value of the last source that has one; a fault in any source, for a bad value is never passed over in silence. */
function strongest(reader: FieldReader, layers: readonly Layer[], position: number): Value | Fault | undefined {
  let found: Value | undefined;
  for (const layer of layers) {
    const value = layer[position]?.(reader);
    if (value instanceof Fault) return value;
    if (value !== undefined) found = value;
  }
  return found;
}
