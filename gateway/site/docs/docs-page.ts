import type { Asset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { fieldTable, messagesIn, messageTable } from "../metadata/field-tables.ts";
import { type Html, html } from "../metadata/html.ts";
import { pageAsset } from "../metadata/layout.ts";
import type { SampleOf } from "../metadata/sample.ts";

/** The reference: how to call, every operation, and every message in their fields once, on one page that needs no script. */
export function docsPage(operations: readonly Operation[], sampleOf: SampleOf, commentOf: CommentOf): Asset {
  const outputs = operations.map(({ method }) => method.output);
  const types = messagesIn(outputs).filter((message) => !outputs.includes(message));
  const content = html`${introduction}
<nav aria-label="On this page">
<ul class="contents">
${operations.map(
  ({ name }) => html`<li><a href="#op-${name}">${name}</a></li>
`,
)}<li><a href="#types">Types</a></li>
</ul>
</nav>
${operations.map((operation) => section(operation, sampleOf, commentOf))}
<section aria-labelledby="types">
<h2 id="types">Types</h2>
${types.map((message) => messageTable(message, commentOf, true))}</section>`;
  return pageAsset("Reference", content, "/docs");
}

const introduction = html`<p>Requests and replies are JSON. A request may be a JSON body, a form, a query or a path; field names match
without regard to case. Every operation answers every HTTP verb on its own paths and on <code>/json/reply/</code> with its name.</p>
<p>A session goes as <code>Authorization: Bearer</code> or as the cookie <code>ss-id</code>. Every error has one shape: a status of 400
or above, and a <a href="#ResponseStatus">ResponseStatus</a> that names its code and the fields at fault. With <code>callback</code> in
the query a reply is a script (JSONP).</p>
<p>For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/types/typescript">classes for TypeScript</a>,
<a href="/types/csharp">for C#</a>.</p>`;

function section(operation: Operation, sampleOf: SampleOf, commentOf: CommentOf): Html {
  const { name, method, paths } = operation;
  const { request, reply } = sampleOf(operation);
  return html`<section aria-labelledby="op-${name}">
<h2 id="op-${name}">${name}</h2>
<p>${commentOf(method)}</p>
<ul>
${paths.map(
  ({ template }) => html`<li><code>${template}</code></li>
`,
)}</ul>
<h3>Request</h3>
${fieldTable(method.input, commentOf, false)}
<h3>Reply</h3>
${fieldTable(method.output, commentOf, true)}
<details>
<summary>A sample of ${name}</summary>
<p>Request</p>
<pre tabindex="0" role="region" aria-label="Sample request of ${name}">${request}</pre>
<p>Reply</p>
<pre tabindex="0" role="region" aria-label="Sample reply of ${name}">${reply}</pre>
</details>
<p><a href="/metadata/${name}#try-it">Try ${name}</a></p>
</section>
`;
}
