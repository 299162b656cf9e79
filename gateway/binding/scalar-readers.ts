import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { as, JsonForm } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { isText } from "../../services/platform/storable.ts";
import { maxId } from "../http/limits/limits.ts";

/** Why a value cannot be read. Returned, not thrown: all bad fields of a request are reported together. */
export class Fault {
  /** Completes "'Field Name' …"; it never repeats the value, which may be a password. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export type Scalar = string | boolean | number | bigint;

/** Reads one kind of scalar from the two forms that a request has for it (contract §2). */
export interface ScalarReader {
  /** From text that is not blank: a query, path or form value, or a JSON string. */
  readText(text: string): Scalar | Fault;
  /** From a JSON value that is neither null nor a string. */
  readJson(value: unknown): Scalar | Fault;
}

/** The reader of a scalar field or of a list's items. Undefined when the contract has no such request field. */
export function scalarReader(field: DescField): ScalarReader | undefined {
  switch (field.scalar) {
    case ScalarType.STRING:
      return { readText: readString, readJson: readNumberAsString };
    case ScalarType.BOOL:
      return { readText: readBooleanText, readJson: readBoolean };
    case ScalarType.DOUBLE:
      return decimalReader;
    case ScalarType.INT32:
      return integerReader(-(2 ** 31), 2 ** 31 - 1, Number);
    case ScalarType.INT64:
      // 64-bit integers are ids, unless the contract shows them as numbers.
      return readOption(field, as) === JsonForm.NUMBER ? wideIntegerReader : idReader;
    default:
      return undefined;
  }
}

const notText = new Fault("holds characters that are not text.");
const notString = new Fault("should be a string.");

function readString(text: string): string | Fault {
  return isText(text) ? text : notText;
}

// Clients send numbers for texts of digits, such as "sinceId": 123.
function readNumberAsString(value: unknown): string | Fault {
  return Number.isSafeInteger(value) ? `${value}` : notString;
}

const notBoolean = new Fault("should be true or false.");
const booleans = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
  ["on", true],
  ["off", false],
]);

function readBooleanText(text: string): boolean | Fault {
  return booleans.get(text.toLowerCase()) ?? notBoolean;
}

function readBoolean(value: unknown): boolean | Fault {
  return typeof value === "boolean" ? value : readBooleanText(typeof value === "number" ? `${value}` : "");
}

const notDecimal = new Fault("should be a number.");

/** A JSON number, or decimal text without an exponent. A number above the largest double becomes that; the field's rules set the limit. */
const decimalReader: ScalarReader = {
  readText: (text) => (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? readDecimal(Number(text)) : notDecimal),
  readJson: (value) => (typeof value === "number" ? readDecimal(value) : notDecimal),
};

// Adding 0 makes 0 of -0.
function readDecimal(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0;
}

const notId = new Fault("should be an id: digits only.");
const idTooLarge = new Fault(`should be an id of at most ${maxId}.`);

const idReader: ScalarReader = {
  readText(text) {
    if (!/^(?:0|[1-9]\d*)$/.test(text)) return notId;
    return Number(text) <= maxId ? BigInt(text) : idTooLarge;
  },
  readJson(value) {
    if (!Number.isInteger(value) || (value as number) < 0 || Object.is(value, -0)) return notId;
    return (value as number) <= maxId ? BigInt(value as number) : idTooLarge;
  },
};

/**
 * Any whole number. A number above the largest exact double becomes that; the field's rules set the limit (contract §8: a larger
 * take is cut).
 */
const wideIntegerReader = integerReader(-Infinity, Infinity, (value) =>
  BigInt(Math.min(Math.max(value, -maxId), maxId)),
);

function integerReader(min: number, max: number, convert: (value: number) => Scalar): ScalarReader {
  const notInteger = new Fault("should be a whole number.");
  const outOfRange = new Fault(`should be a whole number from ${min} to ${max}.`);
  const readNumber = (value: number) => (value >= min && value <= max ? convert(value) : outOfRange);
  return {
    readText: (text) => (/^-?(?:0|[1-9]\d*)$/.test(text) ? readNumber(Number(text)) : notInteger),
    readJson: (value) => (Number.isInteger(value) ? readNumber(value as number) : notInteger),
  };
}
