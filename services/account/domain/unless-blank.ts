import { isBlank } from "../../platform/rules/field-rules.ts";

/** The text, or undefined when it is empty or holds only blanks (contract §2). */
export function unlessBlank(text: string): string | undefined {
  return isBlank(text) ? undefined : text;
}
