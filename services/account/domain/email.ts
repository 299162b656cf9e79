import { domainToASCII } from "node:url";
import { type BadField, badField } from "../../platform/errors.ts";
import { isLongerThan } from "./code-points.ts";
import { foldCase } from "./fold-case.ts";

/** Checks for one address of at most 254 characters (RFC 5321 §4.5.3.1), unquoted, with a dotted domain. */
export function checkEmail(email: string): BadField | undefined {
  if (emailKey(email) !== undefined) return undefined;
  return badField("email", "Email", "'Email' is not a valid email address.");
}

/**
 * By what addresses are compared, here and nowhere else: two with one key are one address, however they are spelled. The
 * local part is folded, the domain is in ASCII (docs/decisions/email-keys.md). Undefined for a text that is no address.
 */
export function emailKey(email: string): string | undefined {
  if (isLongerThan(email, 254) || !pattern.test(email)) return undefined;
  const at = email.indexOf("@");
  const domain = asciiDomain(email.slice(at + 1));
  return domain && `${foldCase(email.slice(0, at))}@${domain}`;
}

/** The key of an address that another account had first, or that is no address any more: found only as it was typed. */
export function exactEmailKey(email: string): string {
  // No address holds a blank, so that this is nobody's emailKey.
  return `exact ${email}`;
}

/** A domain in ASCII (IDNA, UTS #46), or undefined when it cannot be one. */
function asciiDomain(domain: string): string | undefined {
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
