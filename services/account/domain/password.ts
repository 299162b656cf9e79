import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { type BadField, badField } from "../../platform/errors.ts";
import { fieldLabel } from "../../platform/rules/field-label.ts";
import { compileField } from "../../platform/rules/field-rules.ts";

/**
 * Checks a password before any work is spent on it, by Registration's rules and by the length that the settings ask for.
 * @param minLength code points
 */
export function checkPassword(password: string, minLength: number, fieldName = "password"): BadField | undefined {
  const bad = compileField(RegistrationRequestSchema.field.password, fieldName)(password);
  if (bad !== undefined || [...password].length >= minLength) return bad;
  return badField(fieldName, "Length", `'${fieldLabel(fieldName)}' must be at least ${minLength} characters.`);
}
