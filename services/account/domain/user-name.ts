import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import type { BadField } from "../../platform/errors.ts";
import { compileField, emptyField } from "../../platform/rules/field-rules.ts";
import { filled } from "./blank.ts";

/** Checks a user name, which must not be empty, by Registration's rules. */
export function checkUserName(userName: string): BadField | undefined {
  return filled(userName) === undefined ? emptyField("userName") : checkRules(userName);
}

const checkRules = compileField(RegistrationRequestSchema.field.userName);
