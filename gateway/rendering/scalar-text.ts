import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { as, JsonForm } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";

/** The JSON text of a scalar field, or of the items of a list or map of scalars (annotations.proto: as). */
export function scalarText(field: DescField): (value: never) => string {
  const form = readOption(field, as);
  switch (field.scalar) {
    case ScalarType.STRING:
      return quotedText;
    case ScalarType.BOOL:
    case ScalarType.INT32:
      return form === JsonForm.STRING ? quoted : plain;
    case ScalarType.INT64:
      return form === JsonForm.NUMBER ? plain : quoted;
    case ScalarType.DOUBLE:
      return finite;
    default:
      throw new Error(`${field} is of a kind that a public reply cannot have`);
  }
}

/** Whether a scalar is left out of the reply when it is unset. */
export function isOptional(field: DescField): boolean {
  return field.presence === FeatureSet_FieldPresence.EXPLICIT;
}

const quotedText = (value: string) => JSON.stringify(value);
const plain = (value: boolean | number | bigint) => `${value}`;
const quoted = (value: boolean | number | bigint) => `"${value}"`;

// JSON has no NaN and no infinity, and 0 would be wrong.
const finite = (value: number) => {
  if (!Number.isFinite(value)) throw new NotFinite();
  return `${value}`;
};

/** A service sent a number that JSON does not have: a defect, which a repeated call does not cure. */
export class NotFinite extends Error {
  override message = "A service sent a number that is not finite";
}
