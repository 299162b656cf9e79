import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  type MessageInitShape,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { fills, internal } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { ResponseStatusSchema } from "../../../proto/gen/contract/v1/response_status_pb.ts";
import { readOption } from "../../../services/platform/read-option.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { compileTranscoder } from "../../rendering/compile-transcoder.ts";
import { compileFills } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";

/** A sample of an operation's request and its reply, as they go over the wire, indented for people. */
export interface Sample {
  request: string;
  reply: string;
}

export type SampleOf = (operation: Operation) => Sample;

/** Samples have a value in every field; what a comment has in quotes is taken as an example. */
export function createSampleOf(operations: readonly Operation[], commentOf: CommentOf): SampleOf {
  // These fields stay empty until the reply is written.
  const filled = new Set(operations.flatMap(({ method }) => compileFills(method.output)).map(({ target }) => target));
  const isShown = (field: DescField) =>
    !filled.has(field) && (!readOption(field, internal) || readOption(field, fills) !== "");

  const make = (message: DescMessage, around: readonly DescMessage[]): Message => {
    // ResponseStatus is empty in a success, and a message inside itself is left empty to end the recursion.
    if (message === ResponseStatusSchema || around.includes(message)) return create(message);
    const inside = [...around, message];
    const values = message.fields.filter(isShown).map((field) => [field.localName, value(field, inside)]);
    return create(message, Object.fromEntries(values) as MessageInitShape<typeof message>);
  };
  const value = (field: DescField, around: readonly DescMessage[]) => {
    const one = () => (field.message === undefined ? scalar(field) : make(field.message, around));
    if (field.fieldKind === "map") return { name: one() };
    if (field.fieldKind !== "list") return one();
    return field.message === undefined && field.scalar !== ScalarType.STRING ? [one(), one()] : [one()];
  };
  const scalar = (field: DescField) => {
    switch (field.scalar) {
      case ScalarType.STRING:
        return /"([^"]+)"/.exec(commentOf(field))?.[1] ?? field.name;
      case ScalarType.BOOL:
        return false;
      case ScalarType.INT64:
        return 1n;
      default:
        return 1;
    }
  };
  const written = (message: DescMessage) => {
    const json = compileTranscoder(message)(toBinary(message, make(message, [])));
    return JSON.stringify(JSON.parse(json.toString()), null, 2);
  };
  return ({ method }) => ({ request: written(method.input), reply: written(method.output) });
}
