import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { parseEmailAddress } from "../../platform/rules/email-address.ts";
import { compileField } from "../../platform/rules/field-rules.ts";

/** Checks an e-mail address by Registration's rule. */
export const checkEmail = compileField(RegistrationRequestSchema.field.email);

/**
 * By what addresses are compared, here and nowhere else: two with one key are one address, however they are spelled. The
 * local part is folded, the domain is in ASCII (docs/decisions/email-keys.md). Undefined for a text that is no address.
 */
export function emailKey(email: string): string | undefined {
  const address = parseEmailAddress(email);
  return address && `${foldCase(address.localPart)}@${address.asciiDomain}`;
}

/** The key of an address that another account had first, or that is no address any more: found only as it was typed. */
export function exactEmailKey(email: string): string {
  // No address holds a blank, so that this is no emailKey.
  return `exact ${email}`;
}

/**
 * A text in NFC without regard to case, of which a database's collation knows nothing: texts that are equal in capitals or in
 * small letters are equal. Each code point for itself, so that no place in a word matters, as it does for the final sigma.
 */
function foldCase(text: string): string {
  return [...text.normalize("NFC")].map(foldCodePoint).join("").normalize("NFC");
}

// Lower first: the capital sharp s is its own capital.
function foldCodePoint(codePoint: string): string {
  return codePoint.toLowerCase().toUpperCase().toLowerCase();
}
