import { type BadField, badField } from "../../platform/errors.ts";
import { isLongerThan } from "./code-points.ts";

/** Checks for one address of at most 254 characters (RFC 5321 §4.5.3.1), unquoted, with a dotted domain. */
export function checkEmail(email: string): BadField | undefined {
  if (!isLongerThan(email, 254) && pattern.test(email)) return undefined;
  return badField("email", "Email", "'Email' is not a valid email address.");
}

// RFC 5322 dot-atom @ domain labels; letters beyond ASCII are allowed on both sides (RFC 6531).
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`, "u");
