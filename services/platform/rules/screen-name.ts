import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { compileField, isBlank } from "./field-rules.ts";

/** Whether a user can have this screen name: the rules of Registration's userName (contract §6). */
export function isScreenName(text: string): boolean {
  return !isBlank(text) && checkUserName(text) === undefined;
}

/** The name key of a screen name. Only A to Z have a lower case here, so that it is the same in every language. */
export function nameKey(screenName: string): string {
  return screenName.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const checkUserName = compileField(RegistrationRequestSchema.field.userName);
