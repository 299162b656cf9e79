import { readFileSync } from "node:fs";
import { type Asset, makeAsset } from "../http/replies/asset.ts";
import type { Operation } from "../operations/operation-table.ts";
import { loadComments } from "./comments/load-comments.ts";
import { docsPage } from "./docs/docs-page.ts";
import { createMetadataPages } from "./metadata/metadata-pages.ts";
import { createSampleOf } from "./metadata/sample.ts";
import { openApiDocument } from "./openapi/document.ts";
import { createTypesPages, type TypesPages } from "./types/types-pages.ts";

/** The pages about the operations. */
export interface Pages {
  openApi: Asset;
  docs: Asset;
  /** The page of an operation, its name without regard to case; the index when it is empty. @throws PublicError 404 */
  metadata(name: string): Asset;
  types: TypesPages;
  style: Asset;
  script: Asset;
}

/** Makes the pages of the operations, in about 50 ms. */
export function createPages(operations: readonly Operation[]): Pages {
  const commentOf = loadComments();
  const sampleOf = createSampleOf(operations, commentOf);
  return {
    openApi: makeAsset("application/json", JSON.stringify(openApiDocument(operations, commentOf))),
    docs: docsPage(operations, sampleOf, commentOf),
    metadata: createMetadataPages(operations, sampleOf, commentOf),
    types: createTypesPages(operations, commentOf),
    style: fileAsset("text/css; charset=utf-8", "metadata.css"),
    script: fileAsset("text/javascript; charset=utf-8", "try.js"),
  };
}

function fileAsset(type: string, name: string): Asset {
  return makeAsset(type, readFileSync(new URL(`metadata/${name}`, import.meta.url), "utf8"));
}
