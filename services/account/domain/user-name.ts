import type { BadField } from "../../platform/errors.ts";
import { malformedField } from "../../platform/rules/field-rules.ts";
import { isAllowedForNewUser, nameKey } from "../../platform/rules/screen-name.ts";

/** Whether a new user may have this name, by Registration's rules and the setting RESERVED_NAMES. */
export function isFreeForNewUser(userName: string, reservedNames: ReadonlySet<string>): boolean {
  return isAllowedForNewUser(userName) && !reservedNames.has(nameKey(userName));
}

/** The fault of a user name that the setting reserves: the same as of one that the contract reserves. */
export function checkReserved(userName: string, reservedNames: ReadonlySet<string>): BadField | undefined {
  return reservedNames.has(nameKey(userName)) ? malformedField("userName") : undefined;
}
