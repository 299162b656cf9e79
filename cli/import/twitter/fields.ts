import { isText } from "../../../services/platform/storable.ts";
import { Refusal, refusalReason } from "../../errors.ts";
import { isList, isObject, type Json, type JsonObject, numberText, objectIn } from "../../json/json.ts";

/** The value of a field; null means absent (contract §2). */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  // An own field only: a value made in memory has a prototype.
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** The fields of an object that may break a rule: that costs neither the user nor the status. */
export interface Decoration {
  object: JsonObject;
  /** What `read` makes of a field, or `fallback` where it is absent or breaks a rule. */
  take<T>(name: string, read: (object: JsonObject, name: string) => T | undefined, fallback: T): T;
  /** What `read` makes of each object of a list, without those that break a rule. */
  each<T>(name: string, read: (element: Decoration) => T): T[];
  /** A nested object; an empty one where it is absent or breaks a rule. */
  in(name: string): Decoration;
  /** The names of the fields that broke a rule, nested ones too. */
  defaulted: string[];
}

export function decorationOf(object: JsonObject, defaulted: string[] = []): Decoration {
  const attempt = <T>(name: string, read: () => T, fallback: T): T => {
    try {
      return read();
    } catch (error) {
      refusalReason(error);
      defaulted.push(name);
      return fallback;
    }
  };
  const take: Decoration["take"] = (name, read, fallback) =>
    attempt(name, () => read(object, name) ?? fallback, fallback);
  return {
    object,
    defaulted,
    take,
    each: (name, read) =>
      take(name, listOf, []).flatMap((element) =>
        attempt(name, () => [read(decorationOf(objectIn(element), defaulted))], []),
      ),
    in: (name) => decorationOf(take(name, objectOf, {}), defaulted),
  };
}

/**
 * A text, unchanged.
 * @throws Refusal when it is no string, or one that neither UTF-8 nor Postgres can hold.
 */
export function textOf(object: JsonObject, name: string): string | undefined {
  const value = fieldOf(object, name);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new Refusal(`${name} is not a string`);
  if (isText(value)) return value;
  throw new Refusal(`${name} holds ${value.includes("\0") ? "a NUL character" : "half a surrogate pair"}`);
}

/** A text; an empty one counts as absent. */
export function filledTextOf(object: JsonObject, name: string): string | undefined {
  return textOf(object, name) || undefined;
}

/** A text that is required. */
export function requiredTextOf(object: JsonObject, name: string): string {
  const text = filledTextOf(object, name);
  if (text === undefined) throw new Refusal(`${name} is missing`);
  return text;
}

/** A boolean, which some forms spell as the text "true" or "false". */
export function flagOf(object: JsonObject, name: string): boolean | undefined {
  const value = fieldOf(object, name);
  if (value === undefined || typeof value === "boolean") return value;
  if (value !== "true" && value !== "false") throw new Refusal(`${name} is neither true nor false`);
  return value === "true";
}

/** A whole number, which some forms spell as a text; an empty one is absent. */
export function wholeNumberOf(object: JsonObject, name: string): number | undefined {
  const value = fieldOf(object, name);
  const digits = typeof value === "string" ? value : numberText(value);
  if (value === undefined || digits === "") return undefined;
  if (digits === undefined || !/^-?\d{1,15}$/.test(digits)) throw new Refusal(`${name} is not a whole number`);
  return Number(digits);
}

/** A count, 0 to 2^31-1 (an int32 of the contract). */
export function counterOf(object: JsonObject, name: string): number | undefined {
  const count = wholeNumberOf(object, name);
  if (count !== undefined && count < 0) throw new Refusal(`${name} is negative`);
  if (count !== undefined && count > 2 ** 31 - 1) throw new Refusal(`${name} is larger than ${2 ** 31 - 1}`);
  return count;
}

/** A nested object; an empty one counts as absent. */
export function objectOf(object: JsonObject, name: string): JsonObject | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && !isObject(value)) throw new Refusal(`${name} is not an object`);
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}

/** A nested list; absent is empty, and one object is a list of one. */
export function listOf(object: JsonObject, name: string): readonly Json[] {
  const value = fieldOf(object, name) ?? [];
  if (isObject(value)) return [value];
  if (!isList(value)) throw new Refusal(`${name} is not a list`);
  return value;
}

/**
 * The id in the field `name`, with all digits. The text beside it (`id_str`) comes first: the number may have lost digits in a
 * double before it was written.
 * @throws Refusal when it is missing or no id.
 */
export function requiredIdOf(object: JsonObject, name: string): string {
  const digits = digitsOf(object, name);
  if (digits === undefined) throw new Refusal(`${name} is missing`);
  if (!isTwitterId(digits)) throw new Refusal(`${name} is not an id`);
  // A fresh string: the one from the file is a slice, and V8 holds the whole text for as long as a slice of it.
  return BigInt(digits).toString();
}

/** The id of another item that this one refers to; "" without one, or when the origin marks it as unknown. */
export function referenceOf(object: JsonObject, name: string): string {
  const digits = digitsOf(object, name) ?? "";
  if (unknownIds.has(digits)) return "";
  if (!isTwitterId(digits)) throw new Refusal(`${name} is not an id`);
  return digits;
}

/** Orders ids by their number: later things have larger ids at the origin. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

// Twitter writes -1 for a mentioned user who was deleted; our own replies write 0 for one who is unknown here.
const unknownIds = new Set(["", "0", "-1"]);

function digitsOf(object: JsonObject, name: string): string | undefined {
  const spelled = fieldOf(object, `${name}_str`);
  return spelled === undefined ? spelledOut(name, fieldOf(object, name)) : spelledOut(`${name}_str`, spelled);
}

function spelledOut(name: string, value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const digits = typeof value === "string" ? value : numberText(value);
  if (digits === undefined) throw new Refusal(`${name} is neither a string nor an exact number`);
  return digits;
}

// Unsigned 64 bits have at most 20 digits; the origin writes neither signs nor leading zeros.
function isTwitterId(digits: string): boolean {
  return /^[1-9]\d{0,19}$/.test(digits);
}
