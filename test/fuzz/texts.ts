import fc from "fast-check";
import { codePoint } from "../support/code-point.ts";
import { weighted } from "../support/weighted.ts";
import { publicOperations } from "./public-operations.ts";

/** Every field of the public requests, in the contract's spelling. */
export const requestFields = [...new Set(publicOperations.flatMap(({ fields }) => fields.map(({ name }) => name)))];

/** Placeholders for values of the fuzzed system: the session of a user, and the id of a status of walter. */
export const knownSession = "session-of-a-user";
export const knownStatus = "status-of-walter";

/** Every user's password, which no line of a log may contain. */
export const knownPassword = "correct horse";

/** Field names: the request fields in the spellings of contract §2, and unknown ones. */
export const fieldNames = weighted(
  [6, fc.constantFrom(...requestFields, "format", "USERNAME", "AutoLogin", "userids", "SCREENNAME", "Take")],
  [1, fc.constantFrom("__proto__", "constructor", "toString", "responseStatus", "", " ", "a[b]")],
  [1, fc.string({ maxLength: 12 })],
);

/** Texts that are no valid value of most fields. */
const invalid =
  '-1 1.5 1e3 01 9007199254740992 18446744073709551616 NaN null [1,2] ["a","b"] "a,b" ["a a,,b , on OFF perhaps ' +
  "a@example.org ids http://example.org/ //evil javascript:x <script> ';-- é 🐦 short -91.5 ff0000 " +
  "5b0c9e6e-0f3c-4f0e-9a51-0c1f6a1d2e01";
const odd = [
  "",
  " ",
  "not an address",
  "\u0000",
  "\ud800",
  "\u2028</script>",
  "\u202e",
  "a".repeat(37),
  "b".repeat(300),
];

/** Values of every kind: ids, names, lists, numbers near their limits, and invalid ones. */
export const texts = weighted(
  [4, fc.constantFrom("walter", "Walter,unknown", "1", "200", "0", "9007199254740991", "true")],
  [3, fc.constantFrom(...invalid.split(" "), ...odd, knownPassword, knownStatus)],
  [2, fc.nat().map(String)],
  [2, fc.string({ maxLength: 20 })],
  [1, fc.string({ unit: codePoint, maxLength: 10 })],
);

/** Text encoded for a URL; lone surrogates, which have no encoding, become invalid UTF-8. */
export function urlText(text: string): string {
  return /\p{Surrogate}/u.test(text) ? "%ed%a0%80" : encodeURIComponent(text);
}
