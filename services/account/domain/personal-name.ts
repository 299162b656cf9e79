import { type BadField, badField } from "../../platform/errors.ts";
import { isLongerThan } from "./code-points.ts";

/** The most code points that firstName, lastName and displayName may have. */
export const personalNameMaxLength = 64;

/** Checks a name that people call each other by: its length, and nothing that hides or reverses what it shows. */
export function checkPersonalName(fieldName: string, label: string, name: string): BadField | undefined {
  if (isLongerThan(name, personalNameMaxLength)) {
    return badField(fieldName, "Length", `'${label}' must be ${personalNameMaxLength} characters or fewer.`);
  }
  if (hidden.test(name)) return badField(fieldName, "RegularExpression", `'${label}' is not in the correct format.`);
  return undefined;
}

// C0, C1 and the bidirectional overrides and isolates (contract §9).
const hidden = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
