import type { DescMessage, Message } from "@bufbuild/protobuf";
import { max_entries } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { type BadField, badField, refuseFields } from "./errors.ts";
import { oncePer } from "./once-per.ts";
import { readOption } from "./read-option.ts";
import { fieldLabel } from "./rules/field-rules.ts";

/** The most entries that all lists of a request may have together (annotations.proto); 0 where its message sets no limit. */
export const maxEntries = oncePer((message: DescMessage): number => readOption(message, max_entries));

/** How many entries all lists of a request have together. */
export function countEntries(message: DescMessage, request: Message): number {
  return listsOf(message, request).reduce((sum, list) => sum + list.length, 0);
}

/** The lists of a request. */
export function listsOf({ fields }: DescMessage, request: Message): (readonly unknown[])[] {
  return fields.filter(({ fieldKind }) => fieldKind === "list").map(({ localName }) => listOf(request, localName));
}

function listOf(request: Message, localName: string): unknown[] {
  return (request as unknown as Record<string, unknown[]>)[localName] as unknown[];
}

/**
 * The fault of a request whose lists together are longer than its message allows; undefined when there is none. Names the list
 * that exceeds the limit (contract §7.4).
 */
export function tooManyEntries(schema: DescMessage, request: Message): BadField | undefined {
  const max = maxEntries(schema);
  if (max === 0) return undefined;
  const lists = schema.fields.filter(({ fieldKind }) => fieldKind === "list");
  let entries = 0;
  const list = lists.find(({ localName }) => {
    entries += listOf(request, localName).length;
    return entries > max;
  });
  if (list === undefined) return undefined;
  const labels = lists.map(({ jsonName }) => `'${fieldLabel(jsonName)}'`).join(" and ");
  const together = lists.length > 1 ? " together" : "";
  return badField(list.jsonName, "InclusiveBetween", `${labels}${together} must be between 0 and ${max} entries.`);
}

/** Checks the origin and the number of items of one batch of an import. @throws InvalidArgument */
export function checkImportBatch(schema: DescMessage, request: Message & { origin: string }): void {
  const badOrigin = badField("origin", "RegularExpression", "'Origin' must be a short lower-case word.");
  refuseFields([origin.test(request.origin) ? undefined : badOrigin, tooManyEntries(schema, request)]);
}

/** The name of an origin, such as "twitter". */
const origin = /^[a-z][a-z0-9._-]{0,62}$/;

/** Bytes of an imported status's texts and entities as JSON: more than any status written here; a page has up to 200 of them. */
export const maxImportedBytes = 48 * 1_024;
