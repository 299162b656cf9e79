import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { parseEmailAddress } from "../../platform/rules/email-address.ts";
import { compileField } from "../../platform/rules/field-rules.ts";

/** Checks an e-mail address by Registration's rule. */
export const checkEmail = compileField(RegistrationRequestSchema.field.email);

/**
 * The key by which addresses are compared: two with one key are the same address, however they are spelled. The local part is
 * case-folded here and not by lower() of the database, which depends on its collation and version; Unicode promises that foldings of
 * existing letters never change. The domain is in ASCII (UTS #46) by a pinned package, since Node's own function differs between versions.
 * Dots and tags (a.b+c@) stay: only the mailbox's host knows what they mean. No other code makes such a key, and a change of this rule
 * needs a migration that computes all keys anew. Undefined for a text that is not an address.
 */
export function emailKey(email: string): string | undefined {
  const address = parseEmailAddress(email);
  return address && `${foldCase(address.localPart)}@${address.asciiDomain}`;
}

/**
 * The key of a stored address whose emailKey an older account has, or that is no longer valid: only its exact spelling finds it. Both
 * accounts stay, since nothing proves that they are one person's.
 */
export function exactEmailKey(email: string): string {
  // An address holds no blank, so this never equals an emailKey.
  return `exact ${email}`;
}

/**
 * The text in NFC with its case folded without the database's collation: texts with the same capitals or the same small letters
 * become equal. Each code point is folded by itself, so that its place in a word does not matter, as it does for the final sigma.
 */
function foldCase(text: string): string {
  return [...text.normalize("NFC")].map(foldCodePoint).join("").normalize("NFC");
}

// Lower case first: the capital sharp s is its own upper case.
function foldCodePoint(codePoint: string): string {
  return codePoint.toLowerCase().toUpperCase().toLowerCase();
}
