import { createHash } from "node:crypto";
import type { Charge } from "../platform/limits/rate-limiter.ts";

/** What an attempt takes of its address. Callers that tell none are believed. */
export function chargesByAddress(action: string, times: number, address: string | undefined): Charge[] {
  return address === undefined ? [] : charges(`${action}:address`, times, address);
}

/** What an attempt takes of a name: first from this address, then from anywhere. A caller that tells no address counts as one. */
export function chargesByName(action: string, times: number, name: string, address = ""): Charge[] {
  return [
    ...charges(`${action}:name`, times, name, address),
    ...charges(`${action}:name-anywhere`, times * anywhereFactor, name),
  ];
}

/** How many times as often all addresses together may try for a name as one address may. */
const anywhereFactor = 10;

/** A number of times an hour; 0 is no limit. */
function charges(limit: string, times: number, ...counted: string[]): Charge[] {
  return times === 0 ? [] : [{ limit, key: digest(...counted), rate: { times, seconds: 3_600 } }];
}

/** A user as a name. No account has a name or an address with a blank. */
export function userKey(userId: bigint): string {
  return `user ${userId}`;
}

/** Redis holds no names and no addresses, and every key has one length. */
export function digest(...texts: string[]): string {
  return createHash("sha256").update(texts.join("\n")).digest("base64url").slice(0, 22);
}
