import { type DescField, type DescMessage, getOption, type Message, ScalarType } from "@bufbuild/protobuf";
import { publicName } from "../../gateway/rendering/public-fields.ts";
import { as, internal, JsonForm, omit_empty } from "../../proto/gen/contract/v1/annotations_pb.ts";

/** A message's public JSON by a simple implementation, for comparison with the gateway's. */
export function plainJson({ fields }: DescMessage, message: Message): string {
  const values = message as unknown as Record<string, unknown>;
  const parts = fields
    .filter((field) => !getOption(field, internal))
    .map((field) => [JSON.stringify(publicName(field)), fieldJson(field, values[field.localName])])
    .filter(([, json]) => json !== undefined)
    .map(([name, json]) => `${name}:${json}`);
  return `{${parts.join(",")}}`;
}

function fieldJson(field: DescField, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    const items = Object.entries(value as object);
    if (items.length === 0 && getOption(field, omit_empty)) return undefined;
    if (field.fieldKind === "list") return `[${items.map(([, item]) => itemJson(field, item)).join(",")}]`;
    return `{${items.map(([key, item]) => `${JSON.stringify(key)}:${itemJson(field, item)}`).join(",")}}`;
  }
  return itemJson(field, value);
}

function itemJson(field: DescField, value: unknown): string {
  if (field.message !== undefined) return plainJson(field.message, value as Message);
  if (field.scalar === ScalarType.STRING) return JSON.stringify(value);
  if (field.scalar === ScalarType.DOUBLE && !Number.isFinite(value)) throw new Error("not finite");
  const form = getOption(field, as);
  const isText = field.scalar === ScalarType.INT64 ? form !== JsonForm.NUMBER : form === JsonForm.STRING;
  return isText ? `"${value}"` : `${value}`;
}
