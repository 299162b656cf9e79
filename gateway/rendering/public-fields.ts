import { type DescField, type DescMessage } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  actor,
  FilledBy,
  filled_by,
  internal,
  JsonNames,
  json_names,
  sent_as,
} from "../../proto/gen/contract/v1/annotations_pb.ts";
import { oncePer } from "../../services/platform/once-per.ts";
import { readOption } from "../../services/platform/read-option.ts";

/** The fields of a message that the public reads and writes as JSON, in the order of the file. */
export const publicFields = oncePer((message: DescMessage): readonly DescField[] =>
  message.fields.filter((field) => !readOption(field, internal) && !isFilled(field) && !readOption(field, sent_as)),
);

/** Whether only the gateway sets a request field. */
function isFilled(field: DescField): boolean {
  return readOption(field, actor) || readOption(field, filled_by) !== FilledBy.UNSPECIFIED;
}

/** A field's name in public JSON (annotations.proto: json_names, and json_name for true oddities). */
export function publicName(field: DescField): string {
  const asWritten = readOption(field.parent.file, json_names) === JsonNames.AS_WRITTEN;
  // Descriptors always carry a json_name; one that differs from protobuf's own choice was written by hand.
  const explicit = field.jsonName !== protoCamelCase(field.name);
  return asWritten && !explicit ? field.name : field.jsonName;
}
