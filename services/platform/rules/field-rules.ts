import { type DescField, hasOption } from "@bufbuild/protobuf";
import { type Rules, rules as rulesOption, TextForm } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { type BadField, badField } from "../errors.ts";
import { oncePer } from "../once-per.ts";
import { readOption } from "../read-option.ts";
import { isLongerThan } from "../storable.ts";
import { parseEmailAddress } from "./email-address.ts";

/**
 * Returns the first rule that a value breaks; undefined when it breaks none. The value of a field that was left out is undefined.
 */
export type CheckValue = (value: string | bigint | number | boolean | undefined) => BadField | undefined;

/**
 * Compiles the rules of a field (annotations.proto), except those that involve another field.
 * @param fieldName the name in errors, for a field of another request with the same rules
 * @throws Error for a field that has none
 */
export function compileField(field: DescField, fieldName = field.jsonName): CheckValue {
  if (!hasOption(field, rulesOption)) throw new Error(`${field} has no rules`);
  const rules = readOption(field, rulesOption);
  const pattern = rules.pattern === "" ? undefined : new RegExp(rules.pattern, "u");
  return (value) => {
    const fault = faultOf(rules, pattern, value);
    return fault && badOf(fieldName, fault);
  };
}

function faultOf(rules: Rules, pattern: RegExp | undefined, value: Parameters<CheckValue>[0]): Fault | undefined {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "bigint":
    case "number":
      return faultOfNumber(rules, value);
    case "string":
      return rules.neededIfGiven && isBlank(value) ? notEmpty : faultOfText(rules, pattern, value);
    default:
      return rules.needed ? notEmpty : undefined;
  }
}

/**
 * Compiles the size of a page: what a request asks for, the field's `when_unset` where it asks for none, and at most its `max`.
 * @throws Error for a field whose rules do not have both
 */
export const compileSize = oncePer((field: DescField): ((given: bigint | undefined) => number) => {
  const { max, whenUnset } = readOption(field, rulesOption);
  if (max === undefined || whenUnset === undefined) throw new Error(`${field} has no rules max and when_unset`);
  return (given = whenUnset) => Math.min(Number(given), Number(max));
});

/** Whether a text is empty or holds only blanks. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The fault of a field that must not be empty. */
export function emptyField(fieldName: string): BadField {
  return badOf(fieldName, notEmpty);
}

/** The fault of a field with a text that it cannot have. */
export function malformedField(fieldName: string): BadField {
  return badOf(fieldName, badFormat);
}

function badOf(fieldName: string, [errorCode, words]: Fault): BadField {
  return badField(fieldName, errorCode, `'${fieldLabel(fieldName)}' ${words}`);
}

/** An errorCode, and words that complete "'Field Name' …". They never repeat the value, which may be a password. */
type Fault = [errorCode: string, words: string];

const notEmpty: Fault = ["NotEmpty", "should not be empty."];
const badFormat: Fault = ["RegularExpression", "is not in the correct format."];

/** The check and the fault of each form of text. */
const forms: Partial<Record<TextForm, { holds(text: string): boolean; fault: Fault }>> = {
  [TextForm.EMAIL]: {
    holds: (text) => parseEmailAddress(text) !== undefined,
    fault: ["Email", "is not a valid email address."],
  },
  [TextForm.LINK]: { holds: isLink, fault: ["InvalidUrl", "is not a valid URL."] },
  [TextForm.URL]: { holds: isUrl, fault: ["InvalidUrl", "is not a valid URL."] },
};

// Lengths first: the other checks would take long for a megabyte.
function faultOfText(rules: Rules, pattern: RegExp | undefined, text: string): Fault | undefined {
  const { maxBytes, maxLength, reserved } = rules;
  if (isBlank(text)) return rules.needed ? notEmpty : undefined;
  if (maxBytes > 0 && Buffer.byteLength(text) > maxBytes) return ["Length", `must be ${maxBytes} bytes or fewer.`];
  if (maxLength > 0 && isLongerThan(text, maxLength)) return ["Length", `must be ${maxLength} characters or fewer.`];
  if (pattern?.test(text) === false || reserved.includes(text.toLowerCase())) return badFormat;
  const form = forms[rules.form];
  if (form?.holds(text) === false) return form.fault;
  return rules.min === undefined && rules.max === undefined ? undefined : faultOfNumber(rules, Number(text));
}

function faultOfNumber({ min, max, cutToMax }: Rules, value: bigint | number): Fault | undefined {
  // NaN, for a text that is no decimal, fails both comparisons.
  const isLow = min !== undefined && !(value >= min);
  const isHigh = max !== undefined && value > max && !cutToMax;
  return isLow || isHigh ? ["InclusiveBetween", `must be between ${min} and ${max}.`] : undefined;
}

/**
 * Whether a text is a path or an http(s) URL, of at most 2,048 characters, whose target in a browser is what the text shows
 * (contract §6).
 */
function isLink(text: string): boolean {
  return isPlain(text) && (isPath(text) || isWebUrl(text));
}

/** Whether a text is such a URL. */
function isUrl(text: string): boolean {
  return isPlain(text) && isWebUrl(text);
}

function isPlain(text: string): boolean {
  return !isLongerThan(text, 2_048) && !misleading.test(text);
}

// Blanks, controls and backslashes: browsers drop or rewrite them before they determine the host.
const misleading = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

function isPath(text: string): boolean {
  return text.startsWith("/") && !text.startsWith("//");
}

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const authority = text.slice(text.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  return authority !== "" && !authority.includes("@");
}

/** The label of a field in the contract's messages: sinceId and since_id → Since Id. */
export function fieldLabel(name: string): string {
  return name
    .replace(/_/g, " ")
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
