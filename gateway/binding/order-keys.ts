import { jsonString } from "./json-string.ts";

type Request = Record<string, unknown>;

/**
 * Brings keys that differ in case only into the order of the text, where a repeated key counts where it stands last:
 * JSON.parse leaves it where it stood first. In the body itself and in the items of a batch; what lies deeper is no field.
 */
export function orderKeys(parsed: unknown, text: string): unknown {
  const isBatch = Array.isArray(parsed);
  const requests = (isBatch ? parsed : [parsed]).filter(isRequest);
  const twins = requests.map(twinsOf);
  if (twins.every(({ length }) => length === 0)) return parsed;
  const places = lastPlaces(text, isBatch ? 2 : 1);
  requests.forEach((request, index) => {
    const place = (key: string) => places[index]?.get(key) ?? 0;
    for (const key of (twins[index] as string[]).toSorted((a, b) => place(a) - place(b))) moveToEnd(request, key);
  });
  return parsed;
}

function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function twinsOf(request: Request): string[] {
  const keys = Object.keys(request);
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const key of keys) {
    const name = key.toLowerCase();
    (seen.has(name) ? twice : seen).add(name);
  }
  return twice.size === 0 ? [] : keys.filter((key) => twice.has(key.toLowerCase()));
}

const tokens = new RegExp(`(${jsonString})(\\s*:)?|[{}[\\]]`, "g");

/** Where each key stands last, for each object at this depth, in the order of the text. */
function lastPlaces(text: string, depthOfRequests: number): Map<string, number>[] {
  const places: Map<string, number>[] = [];
  let depth = 0;
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(tokens)) {
    if (string === undefined) {
      depth += token === "{" || token === "[" ? 1 : -1;
      if (token === "{" && depth === depthOfRequests) places.push(new Map());
    } else if (colon !== undefined && depth === depthOfRequests) {
      places.at(-1)?.set(JSON.parse(string) as string, index);
    }
  }
  return places;
}

function moveToEnd(request: Request, key: string): void {
  const value = request[key];
  delete request[key];
  // Not an assignment: to __proto__ it would set the prototype.
  Object.defineProperty(request, key, { value, enumerable: true, configurable: true, writable: true });
}
