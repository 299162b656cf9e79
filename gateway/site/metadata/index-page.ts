import type { Asset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { html } from "./html.ts";
import { pageAsset } from "./layout.ts";

/** The list of all operations. */
export function indexPage(operations: readonly Operation[], commentOf: CommentOf): Asset {
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
