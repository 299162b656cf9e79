import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { actor, empty_counts } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { type BadField, badField } from "../../services/platform/errors.ts";
import { maxEntries, tooManyEntries } from "../../services/platform/max-entries.ts";
import { oncePer } from "../../services/platform/once-per.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { fieldLabel } from "../../services/platform/rules/field-rules.ts";
import { badFields, unreadable } from "../http/errors/catalog.ts";
import { maxBatchSize, maxPairs } from "../http/limits/limits.ts";
import type { Pairs } from "../http/requests/form-pairs.ts";
import { publicFields, publicName } from "../rendering/public-fields.ts";
import { type FieldReader, fieldReader, type Value } from "./field-readers.ts";
import type { Wanted } from "./parse-json.ts";
import { Fault } from "./scalar-readers.ts";

export type JsonObject = Record<string, unknown>;

/**
 * Makes a request message of a JSON body and of named texts, weakest source first: path, query, form (contract §2).
 * Throws SerializationException naming every field that cannot be read, and InclusiveBetween when lists are too long, except in
 * requests with an actor: there the caller is checked first (contract §2.10).
 */
export type Binder = (json: JsonObject, texts: readonly Pairs[]) => Message;

/** Compiles the binder of a request message. @throws Error when the contract cannot express one of its fields */
export function compileBinder(message: DescMessage): Binder {
  const fields = publicFields(message).map(compileField);
  const positions = new Map(fields.map(({ name }, position) => [name.toLowerCase(), position]));
  if (positions.size < fields.length) throw new Error(`${message} has field names that differ in case only`);
  const hasActor = message.fields.some((field) => readOption(field, actor));
  // All items of a batch share one query.
  const textLayerOf = oncePer((pairs: Pairs) => textLayer(fields, positions, pairs));

  return (json, texts) => {
    const layers = [jsonLayer(fields, positions, json), ...texts.map(textLayerOf)];
    const request = create(message) as Message & Record<string, unknown>;
    const bad: BadField[] = [];
    fields.forEach((field, position) => {
      const value = strongest(layers, position);
      if (value instanceof Fault) {
        const message = `'${fieldLabel(field.name)}' ${value.reason}`;
        bad.push(badField(field.name, "SerializationException", message));
      } else if (value !== undefined) request[field.localName] = value;
    });
    if (bad.length > 0) throw badFields(bad);
    const tooMany = hasActor ? undefined : tooManyEntries(message, request);
    if (tooMany !== undefined) throw badFields([tooMany]);
    if (texts.some(({ length }) => length > maxPairs))
      throw unreadable(`The request has more than ${maxPairs} values.`);
    return request;
  };
}

/** The names of the request fields that a binder binds, in lower case. */
export function bindableNames(message: DescMessage): Set<string> {
  return new Set(publicFields(message).map((field) => publicName(field).toLowerCase()));
}

/** What a binder reads of a request. Above a limit it is one value more than allowed, so that the binder can refuse it. */
export function wantedOf(message: DescMessage): Wanted {
  const namesOf = (fields: readonly DescField[]) => new Set(fields.map((field) => publicName(field).toLowerCase()));
  return {
    names: bindableNames(message),
    lists: namesOf(publicFields(message).filter(({ fieldKind }) => fieldKind === "list")),
    clearable: namesOf(publicFields(message).filter((field) => readOption(field, empty_counts))),
    maxElements: maxEntries(message) + 1,
    maxRequests: maxBatchSize + 1,
  };
}

interface Field {
  name: string;
  localName: string;
  reader: FieldReader;
}

function compileField(field: DescField): Field {
  const maxElements = maxEntries(field.parent);
  if (field.fieldKind === "list" && maxElements === 0) throw new Error(`${field.parent} has a list and no max_entries`);
  const reader = fieldReader(field, maxElements);
  if (reader === undefined) throw new Error(`${field} is of a kind that a public request cannot have`);
  return { name: publicName(field), localName: field.localName, reader };
}

/** The values of one source, by position of the field. */
type Layer = (Value | Fault | undefined)[];

function jsonLayer(fields: readonly Field[], positions: ReadonlyMap<string, number>, json: JsonObject): Layer {
  const layer: Layer = [];
  // Object.keys and a Map: "__proto__" and "constructor" are names like any other here, and unknown ones.
  for (const key of Object.keys(json)) {
    const position = positions.get(key.toLowerCase());
    const value = json[key];
    // Of keys that differ in case only the last one counts; null counts as absent.
    if (position !== undefined && value !== null) layer[position] = fields[position]?.reader.readJson(value);
  }
  return layer;
}

function textLayer(fields: readonly Field[], positions: ReadonlyMap<string, number>, pairs: Pairs): Layer {
  const texts: string[][] = [];
  for (const [name, text] of pairs) {
    const position = positions.get(name.toLowerCase());
    if (position !== undefined) (texts[position] ??= []).push(text);
  }
  return texts.map((given, position) => fields[position]?.reader.readTexts(given));
}

/** The value of the last source that has one; or a fault of any source, since a bad value is never ignored. */
function strongest(layers: readonly Layer[], position: number): Value | Fault | undefined {
  let found: Value | undefined;
  for (const layer of layers) {
    const value = layer[position];
    if (value instanceof Fault) return value;
    // An empty value never overrides one that is not empty.
    if (value !== undefined && (value !== "" || found === undefined)) found = value;
  }
  return found;
}
