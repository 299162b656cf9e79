import { unknownPath } from "../../http/errors/catalog.ts";
import type { Asset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { html } from "./html.ts";
import { pageAsset } from "./layout.ts";
import { operationPage } from "./operation-page.ts";
import type { SampleOf } from "./sample.ts";

/** Renders the pages under /metadata; they are found by the operation's name, without regard to case, the index by "". */
export function createMetadataPages(
  operations: readonly Operation[],
  sampleOf: SampleOf,
  commentOf: CommentOf,
): (name: string) => Asset {
  const pages = new Map([["", indexPage(operations, commentOf)]]);
  for (const operation of operations) {
    pages.set(operation.name.toLowerCase(), operationPage(operation, sampleOf, commentOf));
  }
  return (name) => {
    const page = pages.get(name.toLowerCase());
    if (page === undefined) throw unknownPath();
    return page;
  };
}

/** The list of all operations. */
function indexPage(operations: readonly Operation[], commentOf: CommentOf): Asset {
  const rows = operations.map(
    ({ name, method, paths }) => html`<tr><th scope="row"><a href="/metadata/${name}">${name}</a></th><td>${paths.map(
      ({ template }) => html`<code>${template}</code> `,
    )}</td><td>${commentOf(method)}</td></tr>
`,
  );
  return pageAsset(
    "Operations",
    html`<p>Each one answers on its own paths and on <code>/json/reply/</code> with its name.</p>
<div class="wide" role="region" aria-label="Operations" tabindex="0">
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Paths</th><th scope="col">What it does</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`,
    "/metadata",
  );
}
