import type { DescMessage, Message } from "@bufbuild/protobuf";
import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import { type BadField, badField, refuseFields } from "../../../platform/errors.ts";
import { fieldLabel } from "../../../platform/rules/field-label.ts";
import { type CheckRequest, compileRules, inFieldOrder } from "../../../platform/rules/request-rules.ts";
import { holdsNul } from "../../../platform/storable.ts";

/**
 * Checks a request of PeopleService by the rules of its message.
 * @param others further faults, of rules that the proto file cannot express
 * @throws InvalidArgument naming every bad field, once, in the order of the message
 */
export function checkRequest(
  desc: DescMessage,
  request: Message,
  others: readonly (BadField | undefined)[] = [],
): void {
  const broken = rules.get(desc)?.(request) ?? [];
  const bad = inFieldOrder(desc, [...broken, ...nulFaults(desc, request), ...others]);
  refuseFields(bad);
}

const rules: ReadonlyMap<DescMessage, CheckRequest> = new Map(
  PeopleService.methods.map(({ input }) => [input, compileRules(input)]),
);

/** Texts with a NUL character, which Postgres does not store. The gateway binds none, but other callers may send them. */
function nulFaults({ fields }: DescMessage, request: Message): BadField[] {
  return fields
    .filter(({ localName }) => holdsNul((request as unknown as Record<string, unknown>)[localName]))
    .map(({ jsonName }) =>
      badField(jsonName, "RegularExpression", `'${fieldLabel(jsonName)}' is not in the correct format.`),
    );
}
