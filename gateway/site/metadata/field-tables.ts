import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { isAlwaysWritten, scalarSchema } from "../openapi/field-schema.ts";
import { type Html, html } from "./html.ts";

/** A table of the fields of a request or a reply, and one of each message in it. */
export function fieldTables(message: DescMessage, commentOf: CommentOf, isReply: boolean): Html {
  return html`${messagesIn([message]).map((each) => messageTable(each, commentOf, isReply))}`;
}

/** Messages and those in their public fields, each once, in the order of the fields. */
export function messagesIn(messages: readonly DescMessage[], seen = new Set<DescMessage>()): DescMessage[] {
  return messages.flatMap((message) => {
    if (seen.has(message)) return [];
    seen.add(message);
    return [
      message,
      ...messagesIn(
        publicFields(message).flatMap((field) => field.message ?? []),
        seen,
      ),
    ];
  });
}

/** A message under its name, to which the types of fields lead. */
export function messageTable(message: DescMessage, commentOf: CommentOf, isReply: boolean): Html {
  return html`<h3 id="${message.name}">${message.name}</h3>
<p>${commentOf(message)}</p>
${fieldTable(message, commentOf, isReply)}`;
}

/** The fields of a message: with their types, their meaning, and in a reply whether they are always there. */
export function fieldTable(message: DescMessage, commentOf: CommentOf, isReply: boolean): Html {
  const always = (is: boolean) => (isReply ? html`<td>${is ? "always" : "when there is one"}</td>` : "");
  const rows = publicFields(message).map(
    (field) => html`<tr><th scope="row"><code>${publicName(field)}</code></th><td>${typeName(field)}</td>${always(
      isAlwaysWritten(field),
    )}<td>${commentOf(field)}</td></tr>
`,
  );
  return html`<div class="wide" role="region" aria-label="Fields of ${message.name}" tabindex="0">
<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th>${isReply ? html`<th scope="col">Written</th>` : ""}<th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`;
}

/** The JSON type of a field, in the words of the interface document; messages lead to their table on the page. */
function typeName(field: DescField): Html {
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
