import { Refusal } from "../errors.ts";

/** A JSON value. A whole number above 2^53 in a file is a string here, since a double would lose digits of an id. */
export type Json = null | boolean | string | number | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/**
 * Parses JSON text. Ids keep every digit.
 * @throws Refusal when it is not JSON.
 */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(hasLongNumber.test(text) ? text.replace(stringOrWord, quoteLongNumber) : text) as Json;
  } catch {
    throw new Refusal("it is not JSON");
  }
}

/** Narrows a value to an object. @throws Refusal for something else */
export function objectIn(value: Json): JsonObject {
  if (!isObject(value)) throw new Refusal("it is not an object");
  return value;
}

// A number after a character that may stand before one. In an address, as most archives have them, an id stands after a slash.
const hasLongNumber = /[\s:,[]-?\d{16}/;
const stringOrWord = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+/gs;

function quoteLongNumber(word: string): string {
  return /^-?\d{16,}$/.test(word) && !Number.isSafeInteger(Number(word)) ? `"${word}"` : word;
}

/** Narrows a value to an object, which a list is not. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Narrows a value to a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The digits of a number, or undefined for anything else and for a double that can no longer be exact. */
export function numberText(value: Json | undefined): string | undefined {
  if (typeof value !== "number" || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  return String(value);
}

/** A text, or an empty one for anything else. */
export function textOrNone(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
