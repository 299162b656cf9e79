import { unreadable } from "../errors/catalog.ts";
import { maxPairs } from "../limits/limits.ts";

/** Names and values in the order in which they came. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Names in lower case. */
export interface WantedNames {
  names: ReadonlySet<string>;
  /** The names that take a list. */
  lists?: ReadonlySet<string>;
  /** The names that are read even without a value. */
  clearable: ReadonlySet<string>;
}

/**
 * Reads the wanted names of `application/x-www-form-urlencoded` text, query strings and form bodies, as far as they have a
 * value. Strict where the URL standard is lenient: percent-encoding that is broken or is not UTF-8 is a
 * SerializationException, never a U+FFFD, also in names that are not wanted.
 * @returns at most one pair more than allowed (limits.ts), which the binder refuses
 */
export function parsePairs(text: string, wanted: WantedNames): Pairs {
  const { names, clearable } = wanted;
  // Checked as a whole: no percent-encoded sequence contains a bare & or =.
  if (decodePercent(text) === undefined) throw unreadable("The request holds percent-encoding that is not UTF-8.");
  const pairs: [string, string][] = [];
  const shortest = Math.min(...[...names].map(({ length }) => length));
  eachPair(text, (start, equals, end) => {
    const isEmpty = equals + 1 === end;
    // Without `=` it is absent: ServiceStack's client writes null so.
    if (equals === end || (isEmpty && clearable.size === 0) || pairs.length > maxPairs) return;
    if (equals - start < shortest || equals - start > maxNameLength) return;
    const name = wantedName(decodeFormText(text.slice(start, equals)) as string, wanted);
    if (name !== undefined && (!isEmpty || clearable.has(name)))
      pairs.push([name, decodeFormText(text.slice(equals + 1, end)) as string]);
  });
  return pairs;
}

/** Characters of a name, each percent-encoded: fields of up to 64 letters. */
const maxNameLength = 3 * 64;

/**
 * The wanted name that a client spells, in lower case; undefined for any other. axios, jQuery and PHP write brackets after the name of a
 * list, with or without an index: `a[]`, `a[0]`, `a[0][]`.
 */
export function wantedName(spelled: string, { names, lists }: WantedNames): string | undefined {
  const name = spelled.toLowerCase();
  if (names.has(name)) return name;
  const list = /^([^[]+)(?:\[\d*\])+$/.exec(name)?.[1];
  return list !== undefined && lists?.has(list) ? list : undefined;
}

/** Calls `read` with the offsets of each pair: its start, its = (its end without one), and its end. */
export function eachPair(text: string, read: (start: number, equals: number, end: number) => void): void {
  let start = 0;
  let equals = -1;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3d && equals < 0) equals = at;
    if (code !== 0x26 && at < text.length) continue;
    if (at > start) read(start, equals < 0 ? at : equals, at);
    start = at + 1;
    equals = -1;
  }
}

/** Decodes one name or value; undefined when it is not percent-encoded UTF-8. */
export function decodeFormText(text: string): string | undefined {
  return decodePercent(text.includes("+") ? blanksForPluses(text) : text);
}

/** Byte by byte: `replaceAll` takes 0.2 s for a million. */
function blanksForPluses(text: string): string {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x2b) bytes[at] = 0x20;
  return bytes.toString();
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
