import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import type { BadField } from "../../platform/errors.ts";
import { compileField, emptyField } from "../../platform/rules/field-rules.ts";
import { filled } from "./blank.ts";

/** Checks a user name, which must be there, by Registration's rules. */
export function checkUserName(userName: string): BadField | undefined {
  return filled(userName) === undefined ? emptyField("userName") : checkRules(userName);
}

/** By what user names are compared: they are ASCII, so that no language has a say in what their small letters are. */
export function userNameKey(userName: string): string {
  return userName.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const checkRules = compileField(RegistrationRequestSchema.field.userName);
