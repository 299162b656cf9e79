import { isObject, type Json, type JsonObject } from "../import/json/json.ts";
import { Refusal } from "../import/refusal.ts";

/**
 * Reads one element of a list as an object.
 * @throws Refusal when it is no JSON, or something else.
 */
export function parseElement(text: string): JsonObject {
  const value = parsed(text);
  if (!isObject(value)) throw new Refusal("it is not an object");
  return value;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Refusal("it is not JSON");
  }
}
