import { dictionary } from "@zxcvbn-ts/language-common";
import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { type BadField, badField } from "../../platform/errors.ts";
import { compileField, fieldLabel } from "../../platform/rules/field-rules.ts";

/**
 * Checks a password that is to be set, before any work is spent on it: by Registration's rules, by the length that the settings ask for, and
 * whether it is too common.
 * @param minLength code points
 */
export function checkNewPassword(password: string, minLength: number, fieldName = "password"): BadField | undefined {
  const bad = compileField(RegistrationRequestSchema.field.password, fieldName)(password);
  if (bad !== undefined) return bad;
  const form = passwordForm(password);
  const label = `'${fieldLabel(fieldName)}'`;
  if ([...form].length < minLength) {
    return badField(fieldName, "Length", `${label} must be at least ${minLength} characters.`);
  }
  if (!common.has(form.toLowerCase())) return undefined;
  return badField(fieldName, "RegularExpression", `${label} is one of the 10,000 most common passwords.`);
}

/**
 * The form of a password that is hashed: two spellings of it that look alike are one (RFC 8265 §4.2, OpaqueString;
 * docs/decisions/one-answer-to-sign-in.md).
 */
export function passwordForm(password: string): string {
  return password.replace(/\p{Zs}/gu, " ").normalize("NFC");
}

/** In small letters; the most common come first. */
const common = new Set(dictionary["passwords-common"].slice(0, 10_000));
