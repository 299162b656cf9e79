import type { Asset } from "../../http/replies/asset.ts";
import { genericPaths } from "../../operations/generic-paths.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { fieldTables } from "./field-tables.ts";
import { type Html, html } from "./html.ts";
import { pageAsset } from "./layout.ts";
import type { SampleOf } from "./sample.ts";
import { tryForm } from "./try-form.ts";

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
