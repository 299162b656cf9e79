import { isCallbackName } from "../../rendering/jsonp.ts";
import { maxUrlLength } from "../limits/limits.ts";

/** A JSONP call, apart: what is asked for, and the function that its reply is wrapped into. */
export interface JsonpTarget {
  /** The same target without what clients add for JSONP. */
  target: string;
  callback: string;
}

/**
 * Takes a JSONP call apart: the target, without its one `callback=NAME` and the `_=NUMBER` by which jQuery keeps caches away, names
 * the same reply, unwrapped. undefined where that is not plain to see, and for a name that may not be called.
 */
export function jsonpTarget(url: string): JsonpTarget | undefined {
  const mark = url.indexOf("?");
  if (mark === -1 || !url.includes("callback=", mark) || url.includes("#") || url.length > maxUrlLength)
    return undefined;
  let callback: string | undefined;
  const others: string[] = [];
  for (const pair of url.slice(mark + 1).split("&")) {
    if (/^_=\d*$/.test(pair)) continue;
    if (pair.startsWith("callback=")) {
      if (callback !== undefined) return undefined;
      callback = pair.slice("callback=".length);
    } else if (isOther(pair)) others.push(pair);
    else return undefined;
  }
  // A percent-encoded name, or one of another alphabet, is read by the router.
  if (callback === undefined || !/^[\w$.]+$/.test(callback) || !isCallbackName(callback)) return undefined;
  const query = others.length === 0 ? "" : `?${others.join("&")}`;
  return { target: url.slice(0, mark) + query, callback };
}

/** Whether a pair's name is spelled out, and is not `callback` in other letters. */
function isOther(pair: string): boolean {
  const name = /^\w+(?==|$)/.exec(pair)?.[0];
  return name !== undefined && name.toLowerCase() !== "callback";
}
