import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { fieldNamed } from "../../../services/platform/rules/request-rules.ts";

/** The field that an annotation names. @throws Error when there is none, or it is not a text that is always set */
export function textField(message: DescMessage, name: string): DescField {
  const field = fieldNamed(message, name);
  const isAlwaysSet = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && isAlwaysSet) return field;
  throw new Error(`${field} is not one text`);
}
