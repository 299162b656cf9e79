import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { as, JsonForm, omit_empty } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../../services/platform/read-option.ts";
import { maxId } from "../../http/limits/limits.ts";
import { isOptional } from "../../rendering/scalar-text.ts";

/** A JSON Schema, in the dialect of OpenAPI 3.1. */
export type Schema = Record<string, unknown>;

/** The JSON of a field, as rendering/ writes it and binding/ reads it; messages are referred to. */
export function fieldSchema(field: DescField, refTo: (message: DescMessage) => Schema): Schema {
  const single = () => (field.message === undefined ? scalarSchema(field) : refTo(field.message));
  switch (field.fieldKind) {
    case "list":
      return { type: "array", items: single() };
    case "map":
      return { type: "object", additionalProperties: single() };
    default:
      return single();
  }
}

/** Whether a reply always has the field. */
export function isAlwaysWritten(field: DescField): boolean {
  if (field.fieldKind === "list" || field.fieldKind === "map") return !readOption(field, omit_empty);
  return field.fieldKind === "scalar" && !isOptional(field);
}

/** The JSON of a scalar field, or of the items of a list or map of scalars. */
export function scalarSchema(field: DescField): Schema {
  const form = readOption(field, as);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return form === JsonForm.STRING ? { type: "string", enum: ["true", "false"] } : { type: "boolean" };
    case ScalarType.INT32:
      return form === JsonForm.STRING ? decimalText : { type: "integer", format: "int32" };
    case ScalarType.INT64:
      return form === JsonForm.NUMBER ? safeInteger : decimalText;
    case ScalarType.DOUBLE:
      return { type: "number", format: "double" };
    default:
      return field.proto.options?.debugRedact ? { type: "string", format: "password" } : { type: "string" };
  }
}

const decimalText = { type: "string", pattern: "^-?[0-9]+$" };
// What annotations.proto promises of integers that are written as numbers.
const safeInteger = { type: "integer", format: "int64", minimum: -maxId, maximum: maxId };
