import { type Json, type JsonObject, numberText } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";
import { fieldOf } from "./fields.ts";

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
