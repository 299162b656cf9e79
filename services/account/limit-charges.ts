import { createHash } from "node:crypto";
import type { Charge } from "../platform/limits/rate-limiter.ts";

/** The charges of an attempt by address: none when the caller, which is trusted, names no address. */
export function chargesByAddress(action: string, times: number, address: string | undefined): Charge[] {
  return address === undefined ? [] : charges(`${action}:address`, times, address);
}

/**
 * The charges of an attempt by name: one for this address, and one for all addresses together. All callers without an address count
 * as one.
 */
export function chargesByName(action: string, times: number, name: string, address = ""): Charge[] {
  return [
    ...charges(`${action}:name`, times, name, address),
    ...charges(`${action}:name-anywhere`, times * anywhereFactor, name),
  ];
}

/** The factor by which all addresses together may make more attempts for a name than one address. */
const anywhereFactor = 10;

/** The charge of a limit of `times` an hour; none for 0. */
function charges(limit: string, times: number, ...counted: string[]): Charge[] {
  return times === 0 ? [] : [{ limit, key: limitKey(...counted), rate: { times, seconds: 3_600 } }];
}

/** The key under which attempts for a user id are counted. It holds a blank, so it equals no user name and no e-mail address. */
export function userKey(userId: bigint): string {
  return `user ${userId}`;
}

/** A short hash, so that Redis holds no names and no addresses, and all keys are equally long. */
export function limitKey(...texts: string[]): string {
  // No slice of the text, which would keep the whole text in memory.
  return createHash("sha256").update(texts.join("\n")).digest().subarray(0, 16).toString("base64url");
}
