import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  actor,
  FilledBy,
  filled_by,
  fills as fillsOption,
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

/** A message that a reply carries once and shows in every element of a list (annotations.proto: fills). */
interface Fill {
  /** The field of the reply that holds the message. */
  source: DescField;
  /** The list beside it whose elements it fills. */
  list: DescField;
  /** The field of the elements that it fills. */
  target: DescField;
}

/** Compiles the fills of a reply message. @throws Error when one does not lead from a list to a field of its own type */
export function compileFills(reply: DescMessage): Fill[] {
  return reply.fields.filter((field) => readOption(field, fillsOption) !== "").map(compileFill);
}

function compileFill(source: DescField): Fill {
  const path = readOption(source, fillsOption);
  const [listName, targetName] = path.split(".");
  const list = source.parent.fields.find((field) => field.name === listName);
  const target = list?.message?.fields.find((field) => field.name === targetName);
  if (list?.fieldKind === "list" && target?.fieldKind === "message" && target.message === source.message) {
    return { source, list, target };
  }
  throw new Error(`${source} cannot fill "${path}": that is not a field of its type in a list beside it`);
}
