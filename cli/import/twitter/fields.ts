import { isText } from "../../../services/platform/storable.ts";
import { isList, isObject, type Json, type JsonObject, numberText } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";

/** The value of a field; null means absent (contract §2). */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  // An own field only: a value made in memory has a prototype.
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
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

/** A JSON boolean; absent is false. */
export function flagOf(object: JsonObject, name: string): boolean {
  const value = fieldOf(object, name) ?? false;
  if (typeof value !== "boolean") throw new Refusal(`${name} is neither true nor false`);
  return value;
}

/** A boolean that the older shape spells as the string "true" or "false". */
export function spelledFlagOf(object: JsonObject, name: string): boolean {
  const value = fieldOf(object, name);
  return value === "true" || (value !== "false" && flagOf(object, name));
}

/** A count, 0 to 2^31-1 (an int32 of the contract); absent is 0. */
export function counterOf(object: JsonObject, name: string): number {
  const value = fieldOf(object, name);
  return value === undefined ? 0 : counter(name, numberText(value));
}

/** Narrows the digits of a counter. */
export function counter(name: string, digits: string | undefined): number {
  if (digits === undefined || !/^-?\d+$/.test(digits)) throw new Refusal(`${name} is not a whole number`);
  if (digits.startsWith("-")) throw new Refusal(`${name} is negative`);
  if (Number(digits) > 2 ** 31 - 1) throw new Refusal(`${name} is larger than ${2 ** 31 - 1}`);
  return Number(digits);
}

/** Six hex digits, or `fallback` when absent. */
export function colourOf(object: JsonObject, name: string, fallback: string): string {
  const colour = textOf(object, name) ?? fallback;
  if (!/^[\dA-Fa-f]{6}$/.test(colour)) throw new Refusal(`${name} is not six hex digits`);
  return colour;
}

/** A nested object. */
export function objectOf(object: JsonObject, name: string): JsonObject | undefined {
  const value = fieldOf(object, name);
  if (value !== undefined && !isObject(value)) throw new Refusal(`${name} is not an object`);
  return value;
}

/** A nested list; absent is empty. */
export function listOf(object: JsonObject, name: string): readonly Json[] {
  const value = fieldOf(object, name) ?? [];
  if (!isList(value)) throw new Refusal(`${name} is not a list`);
  return value;
}
