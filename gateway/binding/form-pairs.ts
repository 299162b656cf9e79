import { unreadable } from "../errors/catalog.ts";

/** Names and values in the order in which they came. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Reads `application/x-www-form-urlencoded` text: query strings and form bodies. Strict where the URL standard is
 * lenient: percent-encoding that is broken or is not UTF-8 is a SerializationException, never a U+FFFD.
 */
export function parsePairs(text: string): Pairs {
  return splitPairs(text).map(([name, value]) => [decode(name), decode(value)]);
}

/** The names and values as they are, still encoded. */
export function splitPairs(text: string): Pairs {
  return text.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    return equals === -1 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

/** Decodes one name or value; undefined when it is not percent-encoded UTF-8. */
export function decodeFormText(text: string): string | undefined {
  return decodePercent(text.replaceAll("+", " "));
}

/** Decodes percent-encoded UTF-8, once; undefined when it is something else. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  const decoded = decodeFormText(text);
  if (decoded === undefined) throw unreadable("The request holds percent-encoding that is not UTF-8.");
  return decoded;
}
