import { type BadField, badField } from "../../platform/errors.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import { holdsNul, isLongerThan } from "../../platform/storable.ts";
import { weightedLength } from "./weighted-text.ts";

/** What is wrong with the text of a new status, which may have `maxWeight` weighted characters. */
export function statusTextFault(text: string, maxWeight: number): BadField | undefined {
  if (isBlank(text)) return badField("text", "NotEmpty", "'Text' should not be empty.");
  if (holdsNul(text)) return badField("text", "RegularExpression", "'Text' is not in the correct format.");
  // The weight of a longer text is not computed, since that takes time.
  const fits = !isLongerThan(text, maxCodePoints) && weightedLength(text) <= maxWeight;
  return fits ? undefined : badField("text", "Length", `'Text' must be ${maxWeight} characters or fewer.`);
}

/** Code points of a status. The weight alone does not bound the text: a link weighs little however long it is. */
const maxCodePoints = 4_096;
