import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { empty_counts } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../../services/platform/read-option.ts";
import type { Asset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { genericPaths, replyPrefixes } from "../../operations/paths.ts";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { fieldTables } from "./field-tables.ts";
import { type Html, html } from "./html.ts";
import { pageAsset } from "./layout.ts";
import type { SampleOf } from "./sample.ts";

/** The page of one operation: its routes, fields, a sample, and a form to try it. */
export function operationPage(operation: Operation, sampleOf: SampleOf, commentOf: CommentOf): Asset {
  const { name, method } = operation;
  const { request, reply } = sampleOf(operation);
  return pageAsset(
    name,
    html`<p>${commentOf(method)}</p>
<h2 id="routes">Routes</h2>
<p>Every HTTP verb does the same on every route. <code>callback</code> in the query makes the reply a script (JSONP).</p>
<ul>
${routes(operation)}</ul>
<h2 id="try-it">Try it</h2>
${tryForm(operation, commentOf)}
<h2 id="request">Request</h2>
${fieldTables(method.input, commentOf, false)}
<h2 id="response">Reply</h2>
${fieldTables(method.output, commentOf, true)}
<h2 id="sample">Sample</h2>
<h3 id="sample-request">Request to <code>/json/reply/${name}</code></h3>
<pre tabindex="0" aria-labelledby="sample-request">${request}</pre>
<h3 id="sample-reply">Reply</h3>
<pre tabindex="0" aria-labelledby="sample-reply">${reply}</pre>
<script src="/metadata/try.js"></script>`,
  );
}

const notes = { reply: "", batch: " – an array of requests, an array of replies", nothing: " – no reply" };

function routes({ name, paths }: Operation): Html[] {
  const own = paths.map(
    ({ template }) => html`<li><code>${template}</code></li>
`,
  );
  const generic = genericPaths(name).map(
    ({ path, answers }) => html`<li><code>${path}</code>${notes[answers]}</li>
`,
  );
  return [...own, ...generic];
}

/**
 * A form that runs an operation. Without scripts the browser shows the reply; try.js shows it on the page, and sends the filled fields
 * only. A browser alone sends empty ones too, so those that an empty text clears are disabled until the script enables them.
 */
function tryForm({ name, method }: Operation, commentOf: CommentOf): Html {
  const fields = publicFields(method.input);
  const clears = fields.some((field) => readOption(field, empty_counts));
  return html`<form id="try" method="post" action="${replyPrefixes[0]}/${name}" autocomplete="off">
${clears ? html`<p>A field that you leave empty stays as it is; a blank clears it.<noscript> Most fields need scripts.</noscript></p>` : ""}
${fields.map((field) => row(field, commentOf(field)))}<button type="submit">Send</button>
</form>
<section id="reply" aria-live="polite" aria-label="The reply" hidden><p id="reply-status"></p><pre id="reply-body" tabindex="0" aria-label="The reply's JSON"></pre></section>
`;
}

function row(field: DescField, comment: string): Html {
  const name = publicName(field);
  const id = `try-${name}`;
  return html`<p class="field">
<label for="${id}">${name}</label>
${field.scalar === ScalarType.BOOL ? choice(id, name) : input(field, id, name)}
<small id="${id}-note">${comment}${field.fieldKind === "list" ? " Separated by commas." : ""}</small>
</p>
`;
}

/** Empty leaves the field out: what that means depends on the operation. */
function choice(id: string, name: string): Html {
  return html`<select id="${id}" name="${name}" aria-describedby="${id}-note"><option value=""></option><option>true</option><option>false</option></select>`;
}

function input(field: DescField, id: string, name: string): Html {
  const isSecret = field.proto.options?.debugRedact === true;
  const kind = isSecret ? html`type="password" autocomplete="new-password"` : html`type="text"`;
  const state = readOption(field, empty_counts) ? html` disabled` : "";
  return html`<input ${kind} id="${id}" name="${name}" aria-describedby="${id}-note"${state}>`;
}
