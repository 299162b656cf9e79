import {
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
} from "@bufbuild/protobuf";
import { operation, rules as rulesOption } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import type { BadField } from "../errors.ts";
import { type CheckValue, compileField, emptyField, isBlank } from "./field-rules.ts";

/** The fields of a request that break a rule, each with its first one, in the order of the file; none when all is well. */
export type CheckRequest = (request: Message) => BadField[];

type Values = Record<string, unknown>;

/**
 * Compiles the rules of a request message (annotations.proto), which service and gateway both go by.
 * @throws Error for a rule that names a field which is not there, or is on a field that can have none
 */
export function compileRules(message: DescMessage): CheckRequest {
  const checks = message.fields.filter((field) => hasOption(field, rulesOption)).map(compileCheck);
  return (request) => checks.map((check) => check(request as Message & Values)).filter((bad) => bad !== undefined);
}

function compileCheck(field: DescField): (request: Values) => BadField | undefined {
  if (field.fieldKind !== "scalar") throw new Error(`${field} has rules, and is no text or number`);
  const check = compileField(field);
  const { neededWithout } = getOption(field, rulesOption);
  const other = neededWithout === "" ? undefined : fieldNamed(field.parent, neededWithout);
  return (request) => {
    const value = request[field.localName];
    if (other !== undefined && isEmpty(value) && isEmpty(request[other.localName])) return emptyField(field.jsonName);
    return check(value as Parameters<CheckValue>[0]);
  };
}

/** Tells of a request that it names nothing to look up, so that its reply is empty. */
export type FindsNothing = (request: Message) => boolean;

/** Compiles the `finds_by` of an operation. @throws Error when a field of that name is not there */
export function compileFindsNothing(method: DescMethod): FindsNothing {
  const fields = getOption(method, operation).findsBy.map((name) => fieldNamed(method.input, name));
  if (fields.length === 0) return () => false;
  return (request) => fields.every(({ localName }) => isEmpty((request as Message & Values)[localName]));
}

/** The field that an annotation names. @throws Error when it is not there */
export function fieldNamed(message: DescMessage, name: string): DescField {
  const field = message.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${message} has no field ${name}`);
  return field;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "string" ? isBlank(value) : Array.isArray(value) && value.length === 0)
  );
}
