import type { DescField } from "@bufbuild/protobuf";
import { empty_counts } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { isBlank } from "../../services/platform/rules/field-rules.ts";
import { maxTextLength } from "../http/limits/limits.ts";
import { splitList } from "./list-text.ts";
import { Fault, type Scalar, type ScalarReader, scalarReader } from "./scalar-readers.ts";

export type Value = Scalar | Scalar[];

/** Reads one request field from what a source says about it; undefined when that is empty. */
export interface FieldReader {
  readJson(value: unknown): Value | Fault | undefined;
  /** Several texts: the same name was given several times. */
  readTexts(texts: readonly string[]): Value | Fault | undefined;
}

/**
 * The reader of a field. Undefined when the contract has no request fields of that kind.
 * @param maxEntries the most entries of a list; one more is read, so that the binder can refuse it
 */
export function fieldReader(field: DescField, maxEntries: number): FieldReader | undefined {
  const scalar = scalarReader(field);
  if (scalar === undefined || field.oneof !== undefined) return undefined;
  if (field.fieldKind === "scalar") return singleReader(scalar, readOption(field, empty_counts) ? "" : undefined);
  return field.fieldKind === "list" ? listReader(scalar, maxEntries + 1) : undefined;
}

const contradiction = new Fault("is given twice, with different values.");

/** @param empty what a given empty text is read as */
function singleReader(scalar: ScalarReader, empty: "" | undefined): FieldReader {
  return {
    readJson(value) {
      if (typeof value !== "string") return scalar.readJson(value);
      return isBlank(value) ? empty : cut(scalar.readText(value));
    },
    readTexts(texts) {
      const different = new Set<string>();
      for (const text of texts) {
        if (different.size === maxSpellings) break;
        if (!isBlank(text)) different.add(text);
      }
      const values = new Set([...different].map(scalar.readText));
      if (values.size === 0) return empty;
      const [value] = values;
      return values.size > 1 ? contradiction : value && cut(value);
    },
  };
}

// A service would read a megabyte only to refuse it. Some fields ignore the blanks around a text, so those do not count.
function cut<T>(value: T): T | string {
  if (typeof value !== "string" || value.length <= maxTextLength) return value;
  const trimmed = value.trim();
  return trimmed.length > maxTextLength ? trimmed.slice(0, maxTextLength) : value;
}

/** More than the number of ways to spell one value: true has 21. */
const maxSpellings = 64;

function listReader(scalar: ScalarReader, maxItems: number): FieldReader {
  const readItem = (item: unknown) => {
    if (item === null) return undefined;
    if (typeof item !== "string") return scalar.readJson(item);
    const text = item.trim();
    return text === "" ? undefined : cut(scalar.readText(text));
  };

  function readItems(items: readonly unknown[]): Scalar[] | Fault | undefined {
    const values: Scalar[] = [];
    for (const item of items) {
      if (values.length === maxItems) break;
      const value = readItem(item);
      if (value instanceof Fault) return value;
      if (value !== undefined) values.push(value);
    }
    return values.length > 0 ? values : undefined;
  }

  function readTexts(texts: readonly string[]): Scalar[] | Fault | undefined {
    const items: string[] = [];
    for (const text of texts) {
      if (items.length === maxItems) break;
      const list = splitList(text, maxItems - items.length);
      if (list instanceof Fault) return list;
      items.push(...list);
    }
    return readItems(items);
  }

  return {
    readTexts,
    readJson(value) {
      if (typeof value === "string") return readTexts([value]);
      return readItems(Array.isArray(value) ? value : [value]);
    },
  };
}
