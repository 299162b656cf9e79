/**
 * A JSON value that has lost nothing on the way: numbers from a file stay text, because ids above 2^53 do not fit a
 * double. Values made in memory may use JavaScript's own numbers.
 */
export type Json = null | boolean | string | number | bigint | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A number exactly as the file spells it. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Narrows a value to an object; lists and numbers are none. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** Narrows a value to a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The digits of a number, or undefined for anything else and for a double that can no longer be exact. */
export function numberText(value: Json | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "number" || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

/** A text, or an empty one for anything else. */
export function textOrNone(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
