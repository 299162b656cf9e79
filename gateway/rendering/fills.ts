import { type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { fills as fillsOption } from "../../proto/gen/contract/v1/annotations_pb.ts";

/** A message that a reply carries once and shows in every element of a list (annotations.proto: fills). */
export interface Fill {
  /** The field of the reply that holds the message. */
  source: DescField;
  /** The field of the elements that it fills. */
  target: DescField;
  /** Sets the one message, that same object, on every element of the list. */
  apply(reply: Message): void;
}

/** Compiles the fills of a reply message. Throws when one does not lead from a list to a field of its own type. */
export function compileFills(reply: DescMessage): Fill[] {
  return reply.fields.filter((field) => getOption(field, fillsOption) !== "").map(compileFill);
}

function compileFill(source: DescField): Fill {
  const { list, target } = destination(source);
  return {
    source,
    target,
    apply(reply) {
      const values = reply as unknown as Record<string, unknown>;
      const elements = values[list.localName] as Record<string, unknown>[];
      for (const element of elements) element[target.localName] = values[source.localName];
    },
  };
}

function destination(source: DescField): { list: DescField; target: DescField } {
  const path = getOption(source, fillsOption);
  const [listName, targetName] = path.split(".");
  const list = source.parent.fields.find((field) => field.name === listName);
  const target = list?.message?.fields.find((field) => field.name === targetName);
  if (list?.fieldKind === "list" && target?.fieldKind === "message" && target.message === source.message) {
    return { list, target };
  }
  throw new Error(`${source} cannot fill "${path}": that is not a field of its type in a list beside it`);
}
