import { isCallbackName } from "../../rendering/jsonp.ts";
import { maxUrlLength } from "../limits/limits.ts";

/** The parts of a JSONP call. */
export interface JsonpTarget {
  /** The target without what clients add for JSONP. */
  target: string;
  callback: string;
}

/**
 * Splits a JSONP call into the function's name and the target of the same reply without JSONP. The target loses its one
 * `callback=NAME`, and the one `_=NUMBER` of at most 20 digits that jQuery adds against caches. So it is about as long as the call,
 * which V8 may keep in memory for a stored target. undefined for calls of another form, which the router reads, and for a name that
 * is not allowed.
 */
export function jsonpTarget(url: string): JsonpTarget | undefined {
  const mark = url.indexOf("?");
  if (mark === -1 || !url.includes("callback=", mark) || url.includes("#") || url.length > maxUrlLength)
    return undefined;
  let callback: string | undefined;
  let hasNumber = false;
  const others: string[] = [];
  for (const pair of url.slice(mark + 1).split("&")) {
    if (/^_=\d{0,20}$/.test(pair) && !hasNumber) hasNumber = true;
    else if (pair.startsWith("callback=")) {
      if (callback !== undefined) return undefined;
      callback = pair.slice("callback=".length);
    } else if (isOther(pair)) others.push(pair);
    else return undefined;
  }
  // The router reads percent-encoded names and those with other than ASCII characters.
  if (callback === undefined || !/^[\w$.]+$/.test(callback) || !isCallbackName(callback)) return undefined;
  const query = others.length === 0 ? "" : `?${others.join("&")}`;
  return { target: url.slice(0, mark) + query, callback };
}

/** Whether a pair's name is spelled out, and is not `callback` in other letters. */
function isOther(pair: string): boolean {
  const name = /^\w+(?==|$)/.exec(pair)?.[0];
  return name !== undefined && name.toLowerCase() !== "callback";
}
