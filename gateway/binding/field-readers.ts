import type { DescField } from "@bufbuild/protobuf";
import { Fault } from "./fault.ts";
import { splitList } from "./list-text.ts";
import { type Scalar, type ScalarReader, scalarReader } from "./scalar-readers.ts";

export type Value = Scalar | Scalar[];

/** Reads one request field from what a source says about it; undefined when that is empty. */
export interface FieldReader {
  readJson(value: unknown): Value | Fault | undefined;
  /** Several texts: the same name was given several times. */
  readTexts(texts: readonly string[]): Value | Fault | undefined;
}

/** The reader of a field. Undefined when the contract has no request fields of that kind. */
export function fieldReader(field: DescField): FieldReader | undefined {
  const scalar = scalarReader(field);
  if (scalar === undefined || field.oneof !== undefined) return undefined;
  if (field.fieldKind === "scalar") return singleReader(scalar);
  return field.fieldKind === "list" ? listReader(scalar) : undefined;
}

const contradiction = new Fault("is given twice, with different values.");

function singleReader(scalar: ScalarReader): FieldReader {
  return {
    readJson(value) {
      if (value === null) return undefined;
      if (typeof value !== "string") return scalar.readJson(value);
      return isBlank(value) ? undefined : scalar.readText(value);
    },
    readTexts(texts) {
      const values = new Set(texts.filter((text) => !isBlank(text)).map(scalar.readText));
      return values.size > 1 ? contradiction : values.values().next().value;
    },
  };
}

function listReader(scalar: ScalarReader): FieldReader {
  const readItem = (item: unknown) => {
    if (item === null) return undefined;
    if (typeof item !== "string") return scalar.readJson(item);
    const text = item.trim();
    return text === "" ? undefined : scalar.readText(text);
  };
  const readTexts = (texts: readonly string[]) => {
    const lists = texts.map(splitList);
    return lists.find((list) => list instanceof Fault) ?? readAll(lists.flat(), readItem);
  };
  return {
    readTexts,
    readJson(value) {
      if (typeof value === "string") return readTexts([value]);
      return readAll(Array.isArray(value) ? value : [value], readItem);
    },
  };
}

function readAll(items: unknown[], readItem: (item: unknown) => Scalar | Fault | undefined) {
  const values: Scalar[] = [];
  for (const item of items) {
    const value = readItem(item);
    if (value instanceof Fault) return value;
    if (value !== undefined) values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
