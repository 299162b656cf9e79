import { type DescField, type DescMessage, type DescMethod, hasOption, type Message } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { idempotency_key, operation, rules as rulesOption } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { type BadField, badField, invalid } from "../errors.ts";
import { tooManyEntries } from "../max-entries.ts";
import { oncePer } from "../once-per.ts";
import { readOption } from "../read-option.ts";
import { type CheckValue, compileField, emptyField, isBlank } from "./field-rules.ts";

/** The first broken rule of each field of a request, in the order of the proto file; none when the request is valid. */
export type CheckRequest = (request: Message) => BadField[];

/** A message whose fields are read by their local names. */
export type Values = Message & Record<string, unknown>;

/**
 * Compiles the rules of a request message (annotations.proto), which service and gateway both check.
 * @throws Error for a rule that names a field which does not exist, or is on a field that can have none
 */
export const compileRules = oncePer((message: DescMessage): CheckRequest => {
  const checks = message.fields.flatMap((field) => compileCheck(field) ?? []);
  return (request) => checks.map((check) => check(request as Values)).filter((bad) => bad !== undefined);
});

/** Bad fields in the order of their message, one for each field: the first that was found. */
export function inFieldOrder({ fields }: DescMessage, found: readonly (BadField | undefined)[]): BadField[] {
  const first = fields.map(({ jsonName }) => found.find((bad) => bad?.fieldName === jsonName));
  return first.filter((bad) => bad !== undefined);
}

type CheckField = (request: Values) => BadField | undefined;

function compileCheck(field: DescField): CheckField | undefined {
  const { jsonName, localName, parent } = field;
  if (readOption(field, idempotency_key)) return (request) => requestIdFault(request[localName] as string);
  if (field.fieldKind === "list") return compileListCheck(field);
  if (!hasOption(field, rulesOption)) return undefined;
  if (field.fieldKind !== "scalar") throw new Error(`${field} has rules, and is no text, number or bool`);
  const check = compileField(field);
  const { neededWithout, neededWith } = readOption(field, rulesOption);
  const instead = neededWithout === "" ? undefined : fieldNamed(parent, neededWithout);
  const partner = neededWith === "" ? undefined : fieldNamed(parent, neededWith);
  return (request) => {
    const value = request[localName];
    const isNeeded =
      (instead !== undefined || partner !== undefined) &&
      (instead === undefined || isEmpty(request[instead.localName])) &&
      (partner === undefined || !isEmpty(request[partner.localName]));
    if (isNeeded && isEmpty(value)) return emptyField(jsonName);
    return check(value as Parameters<CheckValue>[0]);
  };
}

/** The number of entries is also checked where a list is bound (contract §2.12). */
function compileListCheck(field: DescField): CheckField | undefined {
  const { jsonName, localName, parent } = field;
  const check = hasOption(field, rulesOption) ? compileField(field) : () => undefined;
  return (request) => {
    const tooMany = tooManyEntries(parent, request);
    if (tooMany?.fieldName === jsonName) return tooMany;
    for (const entry of request[localName] as string[]) {
      const bad = check(entry);
      if (bad !== undefined) return bad;
    }
    return undefined;
  };
}

/** Whether a request names nothing to look up, so that its reply is empty. */
export type FindsNothing = (request: Message) => boolean;

/** Compiles the `finds_by` of an operation. @throws Error when a field of that name is not there */
export function compileFindsNothing(method: DescMethod): FindsNothing {
  const fields = readOption(method, operation).findsBy.map((name) => fieldNamed(method.input, name));
  if (fields.length === 0) return () => false;
  return (request) => fields.every(({ localName }) => isEmpty((request as Values)[localName]));
}

/** The field that an annotation names. @throws Error when it is not there */
export function fieldNamed(message: DescMessage, name: string): DescField {
  const field = message.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${message} has no field ${name}`);
  return field;
}

/** Whether a field with this value counts as left out; a required bool never does. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "string" ? isBlank(value) : Array.isArray(value) && value.length === 0)
  );
}

/** The fault of a request id that is not a UUID in the usual form, in either case. */
export function requestIdFault(requestId: string): BadField | undefined {
  if (requestId === "") return badField("requestId", "NotEmpty", "'Request Id' should not be empty.");
  return uuid.test(requestId) ? undefined : badField("requestId", "RegularExpression", "'Request Id' must be a UUID.");
}

/** The request id was used for another request. */
export function usedRequestId(): ConnectError {
  return invalid("requestId", "Equal", "'Request Id' was used for another request.");
}

/** Hours after which a request is forgotten. Callers may repeat one for 72 hours; one more for slow clocks and long retries. */
export const requestHours = 73;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
