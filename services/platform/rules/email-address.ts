import { createRequire } from "node:module";
import { isLongerThan } from "../storable.ts";

/**
 * Reads one e-mail address of at most 254 characters (RFC 5321 §4.5.3.1), unquoted, with a dotted domain; undefined for any other
 * text.
 */
export function parseEmailAddress(text: string): { localPart: string; asciiDomain: string } | undefined {
  if (isLongerThan(text, 254) || !pattern.test(text)) return undefined;
  const at = text.indexOf("@");
  const asciiDomain = toAscii(text.slice(at + 1));
  return asciiDomain === undefined ? undefined : { localPart: text.slice(0, at), asciiDomain };
}

/** A domain in ASCII (IDNA, UTS #46), or undefined when it cannot be one. */
function toAscii(domain: string): string | undefined {
  const ascii = isInternational.test(domain) ? uts46().toASCII(domain, options) : domain.toLowerCase();
  return ascii !== null && asciiPattern.test(ascii) && !addressPattern.test(ascii) ? ascii : undefined;
}

const require = createRequire(import.meta.url);

// Node's own function gives other results in other versions of Node. Loaded for the first such domain: it takes 35 ms and 5 MB.
function uts46(): typeof import("tr46") {
  return require("tr46");
}

/** Those of the URL Standard (§3.3, domain to ASCII). */
const options = { checkBidi: true, checkJoiners: true };

// RFC 5322 dot-atom @ domain labels; letters beyond ASCII are allowed on both sides (RFC 6531).
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`, "u");
// Without the flag i, with which some letters beyond ASCII equal ASCII letters.
const isInternational = /\P{ASCII}|(?:^|\.)[Xx][Nn]--/u;
const asciiLabel = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const asciiPattern = new RegExp(`^${asciiLabel}(?:\\.${asciiLabel})+$`);
/** The end of an IPv4 address, decimal or hexadecimal. */
const addressPattern = /\.(?:\d+|0x[\da-f]*)$/;
