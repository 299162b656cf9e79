import type { WantedNames } from "../http/requests/form-pairs.ts";
import { afterBlanks, afterColon, afterElements, afterString, afterValue, broken } from "./json-scanner.ts";
import { blankString } from "./list-text.ts";

/** The parts of a JSON text to read; no values are made of the others. */
export interface Wanted extends WantedNames {
  /** Elements of a list that are read: one more than are allowed, so that the binder sees that there are too many. */
  maxElements: number;
  /** Requests of a batch that are read: also one more than are allowed. */
  maxRequests: number;
}

/**
 * Parses the JSON of a request, or of a batch: an object has the wanted fields only, under their names in lower case. If a key is
 * repeated, its last value counts; if a field has several spellings, the last one in the text that is not null. An object or list
 * where no field takes one is reported as present, without its content. Throws SyntaxError.
 */
export function parseJson(text: string, wanted: Wanted): unknown {
  const at = afterBlanks(text, 0);
  const [value, end] = text[at] === "[" ? readBatch(text, at, wanted) : readRequest(text, at, wanted);
  if (afterBlanks(text, end) !== text.length) throw broken();
  return value;
}

type Read<T> = [value: T, end: number];

function readBatch(text: string, at: number, wanted: Wanted): Read<unknown[]> {
  const requests: unknown[] = [];
  at = afterBlanks(text, at + 1);
  if (text[at] === "]") return [requests, at + 1];
  while (requests.length < wanted.maxRequests) {
    const [request, end] = readRequest(text, at, wanted);
    requests.push(request);
    at = afterBlanks(text, end);
    if (text[at] === "]") return [requests, at + 1];
    if (text[at] !== ",") throw broken();
    at = afterBlanks(text, at + 1);
  }
  return [requests, afterElements(text, at)];
}

/** The object of one request; any other value without its content. */
function readRequest(text: string, at: number, wanted: Wanted): Read<unknown> {
  if (text[at] === "{") return readObject(text, at, wanted);
  const end = afterValue(text, at);
  return [readSingle(text, at, end), end];
}

function readObject(text: string, at: number, { names, maxElements }: Wanted): Read<object> {
  /** By key as it is spelled, in the order of the last occurrences. */
  const members = new Map<string, Range>();
  const end = eachMember(text, at, (key, keyEnd, start) => {
    const valueEnd = afterValue(text, start);
    const spelled = wantedKey(text, key, keyEnd, names);
    if (spelled !== undefined) {
      members.delete(spelled);
      members.set(spelled, [start, valueEnd]);
    }
    return valueEnd;
  });
  const ranges = new Map<string, Range>();
  for (const [spelled, range] of members) if (text[range[0]] !== "n") ranges.set(spelled.toLowerCase(), range);
  const read = ([name, [start, valueEnd]]: [string, Range]) =>
    [name, readValue(text, start, valueEnd, maxElements)] as const;
  return [Object.fromEntries([...ranges].map(read)), end];
}

/** Where a value begins and ends. */
type Range = readonly [start: number, end: number];

/**
 * Calls `read` for each member of an object with the start and end of its key and the start of its value; it returns the
 * value's end. Returns the end of the object.
 */
function eachMember(text: string, at: number, read: (key: number, keyEnd: number, start: number) => number): number {
  at = afterBlanks(text, at + 1);
  if (text[at] === "}") return at + 1;
  for (;;) {
    const keyEnd = afterString(text, at);
    at = afterBlanks(text, read(at, keyEnd, afterColon(text, keyEnd)));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") throw broken();
    at = afterBlanks(text, at + 1);
  }
}

/** The wanted name that a key spells; undefined for any other key. */
function wantedKey(text: string, key: number, keyEnd: number, names: ReadonlySet<string>): string | undefined {
  if (keyEnd - key > maxKeyLength) return undefined;
  const spelled = stringAt(text, key, keyEnd);
  return names.has(spelled.toLowerCase()) ? spelled : undefined;
}

/** Characters of a key with its quotes, all escaped: fields of up to 64 letters. */
const maxKeyLength = 2 + 6 * 64;

function readValue(text: string, start: number, end: number, maxElements: number): unknown {
  return text[start] === "[" ? readList(text, start, maxElements) : readSingle(text, start, end);
}

/** The first elements of a valid list. */
function readList(text: string, start: number, maxElements: number): unknown[] {
  const elements: unknown[] = [];
  let at = afterBlanks(text, start + 1);
  while (elements.length < maxElements && text[at] !== "]") {
    // No field takes nested values, so the rest of the list is not needed.
    if (text[at] === "[" || text[at] === "{") return [...elements, {}];
    dropped.lastIndex = at;
    if (dropped.test(text)) {
      at = dropped.lastIndex;
      continue;
    }
    const end = afterValue(text, at);
    elements.push(readSingle(text, at, end));
    at = afterBlanks(text, end);
    if (text[at] === ",") at = afterBlanks(text, at + 1);
  }
  return elements;
}

/** A run of elements that lists drop, with their commas: matching each alone would take 26 ms for a megabyte. */
const dropped = new RegExp(String.raw`(?:(?:null|${blankString})\s*,?\s*){1,1000}`, "y");

function readSingle(text: string, start: number, end: number): unknown {
  switch (text[start]) {
    case '"':
      return stringAt(text, start, end);
    case "{":
      return {};
    case "[":
      return [];
    case "t":
      return true;
    case "f":
      return false;
    case "n":
      return null;
    default:
      return parseNumber(text.slice(start, end));
  }
}

function stringAt(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/**
 * The number of a valid JSON token. A number whose fraction a double would lose, such as 1.0000000000000000001, becomes the next
 * double with a fraction, because a number with a fraction is no integer (contract §2); 1.0 is an integer.
 */
function parseNumber(token: string): number {
  const value = Number(token);
  if (!Number.isInteger(value)) return value;
  const [, digits = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  return isWhole(digits + fraction, Number(exponent) - fraction.length) ? value : nextFraction(value);
}

/** The next double with a fraction, of a larger absolute value if there is one. */
function nextFraction(whole: number): number {
  if (whole === 0) return Number.MIN_VALUE;
  return Math.abs(whole) < maxFraction ? whole * (1 + Number.EPSILON) : Math.sign(whole) * (maxFraction - 0.5);
}

/** From here on doubles have no fractions of a half. */
const maxFraction = 2 ** 52;

/** Whether digits × 10^shift is a whole number. */
function isWhole(digits: string, shift: number): boolean {
  let last = digits.length - 1;
  while (last >= 0 && digits[last] === "0") last--;
  return last < 0 || digits.length - 1 - last + shift >= 0;
}
