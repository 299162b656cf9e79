import { type BadField, badField } from "../../platform/errors.ts";
import { isLongerThan } from "./code-points.ts";

/** The most characters that a user name may have. */
export const userNameMaxLength = 36;

/** Checks a user name (contract §6): length first, then characters and the reserved name `ids`, a fixed path segment. */
export function checkUserName(userName: string): BadField | undefined {
  if (isLongerThan(userName, userNameMaxLength)) {
    return badField("userName", "Length", `'User Name' must be between 1 and ${userNameMaxLength} characters.`);
  }
  if (!pattern.test(userName) || userNameKey(userName) === "ids") {
    return badField("userName", "RegularExpression", "'User Name' is not in the correct format.");
  }
  return undefined;
}

/** By what user names are compared: they are ASCII, so that no language has a say in what their small letters are. */
export function userNameKey(userName: string): string {
  return userName.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const pattern = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
