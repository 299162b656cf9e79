import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";

/** The values of a message's fields: `bare` has no optional fields, `zero` has all fields at zero. */
export const levels = ["bare", "zero", "min", "max"] as const;
export type Level = (typeof levels)[number];

/** A message with all fields, also of nested messages and internal ones, at one level. */
export function goldenMessage(message: DescMessage, level: Level): Message {
  const fields = level === "bare" ? message.fields.filter(isListOfMessages) : message.fields;
  return create(message, Object.fromEntries(fields.map((field) => [field.localName, fieldValue(field, level)])));
}

function isListOfMessages(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind === "message" && field.name === "results";
}

function fieldValue(field: DescField, level: Level): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return scalarValue(field, level);
    case "message":
      return goldenMessage(field.message, level);
    case "list": {
      const item = field.listKind === "message" ? goldenMessage(field.message, level) : scalarValue(field, level);
      return level === "max" ? [item, item] : [item];
    }
    case "map":
      return { [level]: field.mapKind === "message" ? goldenMessage(field.message, level) : level };
    default:
      throw new Error(`no golden value for ${field}`);
  }
}

// Characters that JSON or a script must escape, and others from more than one plane of Unicode.
const specialCharacters = 'é\u{1F426}"\\/\n\u0000\u001f\u2028\u2029</';

function scalarValue(field: DescField, level: Level): unknown {
  switch (field.scalar) {
    case ScalarType.STRING:
      return { bare: "", zero: "", min: field.name, max: `${field.name} ${specialCharacters}` }[level];
    case ScalarType.BOOL:
      return level === "max";
    case ScalarType.INT32:
      return { bare: 0, zero: 0, min: -(2 ** 31), max: 2 ** 31 - 1 }[level];
    case ScalarType.INT64:
      return { bare: 0n, zero: 0n, min: -(2n ** 63n), max: 2n ** 63n - 1n }[level];
    case ScalarType.DOUBLE:
      return { bare: 0, zero: 0, min: -180, max: 52.51234567890123 }[level];
    default:
      throw new Error(`no golden value for ${field}`);
  }
}
