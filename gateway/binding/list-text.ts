import { Fault } from "./fault.ts";

/**
 * Splits the text forms of a list (contract §2): `a,b`, `[a,b]`, `["a","b"]`, and `"a,b"` for one item that holds a
 * comma. Blanks around items go, empty items are dropped. A quoted item is a JSON string.
 */
export function splitList(text: string): string[] | Fault {
  const inner = withoutBrackets(text.trim());
  if (inner instanceof Fault) return inner;
  const items: string[] = [];
  for (let at = 0; at <= inner.length; ) {
    const item = itemAt(inner, at);
    if (item === undefined) return badQuotes;
    if (item.text !== "") items.push(item.text);
    at = item.end + 1;
  }
  return items;
}

const badBrackets = new Fault("opens a [ that it does not close.");
const badQuotes = new Fault("holds quotes that do not enclose an item.");

function withoutBrackets(text: string): string | Fault {
  if (!text.startsWith("[")) return text;
  return text.endsWith("]") ? text.slice(1, -1) : badBrackets;
}

interface Item {
  text: string;
  /** Where its comma stands, or the text ends. */
  end: number;
}

// Sticky, so that each item is matched where the one before it ended: linear in the text.
const quoted = /\s*("(?:[^"\\]|\\.)*")\s*(?=,|$)/suy;

function itemAt(text: string, at: number): Item | undefined {
  quoted.lastIndex = at;
  const match = quoted.exec(text);
  if (match !== null) {
    const parsed = parseString(match[1] as string);
    return parsed === undefined ? undefined : { text: parsed.trim(), end: quoted.lastIndex };
  }
  const comma = text.indexOf(",", at);
  const end = comma === -1 ? text.length : comma;
  const plain = text.slice(at, end).trim();
  return plain.startsWith('"') ? undefined : { text: plain, end };
}

function parseString(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
