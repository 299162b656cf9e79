import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import type { BadField } from "../../platform/errors.ts";
import { compileField, emptyField, isBlank } from "../../platform/rules/field-rules.ts";

/** Checks a user name, which must not be empty, by Registration's rules. */
export function checkUserName(userName: string): BadField | undefined {
  return isBlank(userName) ? emptyField("userName") : checkRules(userName);
}

const checkRules = compileField(RegistrationRequestSchema.field.userName);
