import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { replyPrefixes } from "../../operations/generic-paths.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { type Html, html } from "./html.ts";

/** A form that runs an operation. Without scripts the browser shows the reply; try.js shows it on the page. */
export function tryForm({ name, method }: Operation, commentOf: CommentOf): Html {
  return html`<form id="try" method="post" action="${replyPrefixes[0]}/${name}" autocomplete="off">
${publicFields(method.input).map((field) => row(field, commentOf(field)))}<button type="submit">Send</button>
</form>
<section id="reply" aria-live="polite" aria-label="The reply" hidden><p id="reply-status"></p><pre id="reply-body" tabindex="0" aria-label="The reply's JSON"></pre></section>
`;
}

function row(field: DescField, comment: string): Html {
  const name = publicName(field);
  const id = `try-${name}`;
  return html`<p class="field">
<label for="${id}">${name}</label>
${field.scalar === ScalarType.BOOL ? checkbox(id, name) : input(field, id, name)}
<small id="${id}-note">${comment}${field.fieldKind === "list" ? " Separated by commas." : ""}</small>
</p>
`;
}

function checkbox(id: string, name: string): Html {
  return html`<input type="checkbox" id="${id}" name="${name}" value="true" aria-describedby="${id}-note">`;
}

function input(field: DescField, id: string, name: string): Html {
  const isSecret = field.proto.options?.debugRedact === true;
  const kind = isSecret ? html`type="password" autocomplete="new-password"` : html`type="text"`;
  return html`<input ${kind} id="${id}" name="${name}" aria-describedby="${id}-note">`;
}
