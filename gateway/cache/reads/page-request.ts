import { type DescField, type DescMessage, isFieldSet, type Message, ScalarType } from "@bufbuild/protobuf";
import type { Cache, CachedPage } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { copyText } from "../../../services/platform/copy-text.ts";
import { compileSize } from "../../../services/platform/rules/field-rules.ts";
import { fieldNamed, type Values } from "../../../services/platform/rules/request-rules.ts";
import { isScreenName, nameKey } from "../../../services/platform/rules/screen-name.ts";
import { textField } from "./text-field.ts";

/** Reads a request for a page of one user. */
export interface PageRequest {
  /** The name key of the user; undefined where the text is no screen name. */
  nameKey(request: Message): string | undefined;
  /** Names the page without its user. */
  whichPage(request: Message): string;
  /** Whether most callers ask for this page. */
  isCommon(request: Message): boolean;
}

/** @throws Error when the annotation names a field that the request does not have, or one that cannot be a part of a page's name */
export function compilePageRequest(input: DescMessage, cache: Cache, { size }: CachedPage): PageRequest {
  const subject = textField(input, cache.subject);
  const others = input.fields.filter((field) => field !== subject);
  const stray = others.find((field) => !isNumber(field));
  if (stray !== undefined) throw new Error(`${stray} is no number, so it cannot name a page`);
  const names = others.map(({ localName }) => localName);
  const rare = others.filter(({ name }) => name !== size);
  return {
    nameKey(request) {
      const name = (request as Values)[subject.localName] as string;
      return isScreenName(name) ? copyText(nameKey(name)) : undefined;
    },
    whichPage: (request) => names.map((name) => (request as Values)[name]).join(":"),
    isCommon: (request) => !rare.some((field) => isFieldSet(request, field)),
  };
}

/** The largest number of entries that a page can have. @throws Error when the field's rules do not say it */
export function compilePageSize(input: DescMessage, { size }: CachedPage): (request: Message) => number {
  const field = fieldNamed(input, size);
  const sizeOf = compileSize(field);
  return (request) => sizeOf((request as Values)[field.localName] as bigint | undefined);
}

function isNumber({ fieldKind, scalar, oneof }: DescField): boolean {
  return fieldKind === "scalar" && scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES && oneof === undefined;
}
