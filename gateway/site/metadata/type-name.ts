import type { DescField } from "@bufbuild/protobuf";
import { scalarSchema } from "../openapi/field-schema.ts";
import { type Html, html } from "./html.ts";

/** The JSON type of a field, in the words of the interface document; messages lead to their table on the page. */
export function typeName(field: DescField): Html {
  const single = field.message === undefined ? html`${scalarSchema(field).type as string}` : link(field.message.name);
  switch (field.fieldKind) {
    case "list":
      return html`array of ${single}`;
    case "map":
      return html`map from string to ${single}`;
    default:
      return single;
  }
}

function link(name: string): Html {
  return html`<a href="#${name}">${name}</a>`;
}
