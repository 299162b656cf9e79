import { randomBytes } from "node:crypto";
import type { Scope } from "./placeholders.ts";

/**
 * What a case knows from the start. `unique`: 12 lower-case letters and digits, beginning with a letter, that no other
 * case and no other run has. `host` and `origin`: where the implementation under test is.
 */
export function freshScope(base: URL): Scope {
  const unique = `c${(randomBytes(8).readBigUInt64BE() % 36n ** 11n).toString(36).padStart(11, "0")}`;
  return new Map([
    ["unique", unique],
    ["host", base.host],
    ["origin", base.origin],
  ]);
}
