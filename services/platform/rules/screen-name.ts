import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { rules } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../read-option.ts";
import { compileField, isBlank } from "./field-rules.ts";

/**
 * Whether the rules of Registration allow this userName to a new user (contract §6). Does not look whether it is taken, nor in the setting
 * RESERVED_NAMES.
 */
export function isAllowedForNewUser(text: string): boolean {
  return !isBlank(text) && checkUserName(text) === undefined;
}

/** Whether a user may have this screen name. A reserved one cannot be taken, but users who have one keep it (contract §1.5). */
export function isScreenName(text: string): boolean {
  return isAllowedForNewUser(text) || reserved.includes(nameKey(text));
}

/** The name key of a screen name. Only A to Z are lowered, so that it is the same in every language. */
export function nameKey(screenName: string): string {
  return screenName.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const { userName } = RegistrationRequestSchema.field;
const checkUserName = compileField(userName);
const { reserved } = readOption(userName, rules);
