import { type BadField, badField } from "../../platform/errors.ts";
import { filled } from "./blank.ts";

/** The most bytes that are hashed: enough for any passphrase, too few to keep a core busy. */
const maxBytes = 1_024;

/** Checks a password before any work is spent on it; blanks alone count as none. `minLength` counts code points. */
export function checkPassword(
  password: string,
  minLength: number,
  fieldName = "password",
  label = "Password",
): BadField | undefined {
  if (filled(password) === undefined) return badField(fieldName, "NotEmpty", `'${label}' should not be empty.`);
  // The byte length first: counting code points of a megabyte would be work.
  if (Buffer.byteLength(password) > maxBytes) {
    return badField(fieldName, "Length", `'${label}' must be ${maxBytes} bytes or fewer.`);
  }
  if ([...password].length < minLength) {
    return badField(fieldName, "Length", `'${label}' must be at least ${minLength} characters.`);
  }
  return undefined;
}
