import type { DescMessage } from "@bufbuild/protobuf";
import { state_of } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../../services/platform/read-option.ts";
import { fieldNamed } from "../../../services/platform/rules/request-rules.ts";
import { nameKey } from "../../../services/platform/rules/screen-name.ts";
import { rangesOf, textsOf } from "../../rendering/wire-reader.ts";
import type { SeenState } from "../tokens/seen-states.ts";

/** Reads the states of users that a reply shows, in its order. */
export type ShownStates = (wire: Uint8Array) => SeenState[];

/**
 * Compiles them from the annotations `state_of` of the reply itself and of the elements of its lists.
 * @throws Error when an annotation names a field that its message does not have
 */
export function compileShownStates(output: DescMessage): ShownStates {
  const own = stateReader(output);
  const lists = output.fields.flatMap((field) => {
    const read = field.fieldKind === "list" && field.message ? stateReader(field.message) : undefined;
    return read ? [{ number: field.number, read }] : [];
  });
  return (wire) => [
    ...(own?.(wire) ?? []),
    ...lists.flatMap(({ number, read }) => rangesOf(wire, number).flatMap((range) => read(wire.subarray(...range)))),
  ];
}

/** Reads one message, which shows the state of one user or, without a name, of none; undefined where it has no such field. */
function stateReader(message: DescMessage): ShownStates | undefined {
  const state = message.fields.find((field) => readOption(field, state_of) !== "");
  if (state === undefined) return undefined;
  const subject = fieldNamed(message, readOption(state, state_of));
  return (wire) => {
    const [name = "", token = ""] = textsOf(wire, subject.number, state.number);
    return name === "" ? [] : [{ subjectKey: nameKey(name), token }];
  };
}
