import { keepFractions } from "./keep-fractions.ts";
import { orderKeys } from "./order-keys.ts";

/**
 * Parses JSON for the binder, with what JSON.parse alone loses put right: a fraction that a double cannot hold stays one, and
 * of keys that differ in case only the last in the text is the last in the object. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const parsed = JSON.parse(text) as unknown;
  const exact = keepFractions(text);
  return orderKeys(exact === text ? parsed : JSON.parse(exact), text);
}
