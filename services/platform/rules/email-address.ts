import { domainToASCII } from "node:url";
import { isLongerThan } from "./code-points.ts";

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
  // The sharp s has a capital, which newer versions of Unicode map to itself and older ones to "ss".
  const ascii = domainToASCII(domain.replaceAll("ẞ", "ß"));
  return asciiPattern.test(ascii) && !/\.\d+$/.test(ascii) ? ascii : undefined;
}

// RFC 5322 dot-atom @ domain labels; letters beyond ASCII are allowed on both sides (RFC 6531).
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`, "u");
const asciiLabel = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const asciiPattern = new RegExp(`^${asciiLabel}(?:\\.${asciiLabel})+$`);
