import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { parseEmailAddress } from "../../platform/rules/email-address.ts";
import { compileField } from "../../platform/rules/field-rules.ts";
import { foldCase } from "./fold-case.ts";

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
