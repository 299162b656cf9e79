import { type DescField, type DescMessage } from "@bufbuild/protobuf";
import { fills as fillsOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";

/** A message that a reply carries once and shows in every element of a list (annotations.proto: fills). */
export interface Fill {
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
