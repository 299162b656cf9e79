import { Fault } from "./scalar-readers.ts";

/**
 * Splits the text forms of a list (contract §2): `a,b`, `[a,b]`, `["a","b"]`, and `"a,b"` for one item that holds a
 * comma. Blanks around items and empty items are dropped. A quoted item is a JSON string.
 * @param maxItems stops after this many
 */
export function splitList(text: string, maxItems: number): string[] | Fault {
  const inner = withoutBrackets(text.trim());
  if (inner instanceof Fault) return inner;
  const items: string[] = [];
  for (let at = afterEmpty(inner, 0); at < inner.length && items.length < maxItems; at = afterEmpty(inner, at)) {
    const item = itemAt(inner, at);
    if (item === undefined) return badQuotes;
    if (item.text !== "") items.push(item.text);
    at = item.end;
  }
  return items;
}

const badBrackets = new Fault("opens a [ that it does not close.");
const badQuotes = new Fault("holds quotes that do not enclose an item.");

function withoutBrackets(text: string): string | Fault {
  if (!text.startsWith("[")) return text;
  return text.endsWith("]") ? text.slice(1, -1) : badBrackets;
}

/**
 * The source of a regular expression for a JSON string of blanks alone, as String.trim defines them. Lists drop such items, so
 * they are skipped without making a string of each.
 */
export const blankString = String.raw`"(?:\s|\\[tnrf]|\\u(?:00(?:0[9a-dA-D]|20|[aA]0)|1680|20(?:0[0-9aA]|2[89fF]|5[fF])|3000|[fF][eE][fF]{2}))*"`;

const empty = new RegExp(String.raw`(?:[\s,]+|${blankString}(?=\s*(?:,|$)))*`, "y");

/** Where the next item that is not empty begins. */
function afterEmpty(text: string, at: number): number {
  empty.lastIndex = at;
  empty.test(text);
  return empty.lastIndex;
}

interface Item {
  text: string;
  /** The offset of its comma, or of the text's end. */
  end: number;
}

// Sticky, so that each item is matched where the one before it ended: linear in the text.
const quoted = /("(?:[^"\\]|\\.)*")\s*(?=,|$)/suy;

function itemAt(text: string, at: number): Item | undefined {
  if (text[at] !== '"') {
    const comma = text.indexOf(",", at);
    const end = comma === -1 ? text.length : comma;
    return { text: text.slice(at, end).trim(), end };
  }
  quoted.lastIndex = at;
  const match = quoted.exec(text);
  const parsed = match === null ? undefined : parseString(match[1] as string);
  return parsed === undefined ? undefined : { text: parsed.trim(), end: quoted.lastIndex };
}

function parseString(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
