import type { FastifyRequest } from "fastify";
import { isCallbackName } from "../../rendering/jsonp.ts";
import { invalidCallback, unknownPath, unreadable } from "../errors/catalog.ts";
import { decodeFormText, decodePercent, eachPair } from "./form-pairs.ts";

/**
 * Brings a request target into the form that the functions below read, `/path?query`: proxies send absolute URLs, and
 * `OPTIONS *` names no path.
 */
export function normalizeTarget(target: string): string {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return origin.startsWith("/") ? origin : `/${origin}`;
}

/**
 * The same target for the router, which compares letter by letter: the path in lower case, with ASCII letters that are
 * percent-encoded, and the `@` of the page's addresses, decoded. Only ASCII, and only for the router: other alphabets change
 * their length with their case, and values keep theirs.
 */
export function routedTarget(target: string): string {
  const [path = "", ...query] = normalizeTarget(target).split("?");
  const decoded = path.replace(/%(?:4[0-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi, decodeURIComponent);
  return [decoded.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()), ...query].join("?");
}

/** Where the client sent its request, such as `http://127.0.0.1:8080`; "" if that is no name or address. */
export function originOf({ protocol, headers: { host = "" } }: FastifyRequest): string {
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : "";
}

/** The query of a normalized target, without its question mark. */
export function queryOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

/**
 * The text between two slashes of a normalized target, percent-decoded once. Read from the target itself, since routers
 * differ in what they decode. Throws 404 when it is empty: a path with a double slash does not exist (contract §1.6).
 */
export function segmentOf(target: string, segment: number): string {
  const [path] = target.split("?", 1) as [string];
  const encoded = path.split("/")[segment];
  if (!encoded) throw unknownPath();
  const text = decodePercent(encoded);
  if (text === undefined) throw badPath();
  return text;
}

/** The path holds percent-encoding that is broken or not UTF-8. */
export function badPath() {
  return unreadable("The path holds percent-encoding that is not UTF-8.");
}

/**
 * The `callback` parameter of a query, undefined when it is empty or not there (contract §4). Reads no other parameter, so
 * that an error in one can still be wrapped. Throws InvalidCallback.
 */
export function callbackOf(query: string): string | undefined {
  const names = new Set<string | undefined>();
  eachPair(query, (start, equals, end) => {
    if (equals + 1 >= end || decodeFormText(query.slice(start, equals))?.toLowerCase() !== "callback") return;
    names.add(decodeFormText(query.slice(equals + 1, end)));
  });
  const [name] = names;
  if (names.size === 0) return undefined;
  if (names.size > 1 || name === undefined || !isCallbackName(name)) throw invalidCallback();
  return name;
}
