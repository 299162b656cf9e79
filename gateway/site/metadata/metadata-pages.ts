import { unknownPath } from "../../http/errors/catalog.ts";
import { type Asset, makeAsset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { indexPage } from "./index-page.ts";
import { operationPage } from "./operation-page.ts";
import { createSampleMaker } from "./sample.ts";

/** Renders the pages for people; they are found by the operation's name, without regard to case, the index by "". */
export function createMetadataPages(operations: readonly Operation[], commentOf: CommentOf): (name: string) => Asset {
  const outputs = operations.map(({ method }) => method.output);
  const sample = createSampleMaker(outputs, commentOf);
  const pages = new Map([["", htmlAsset(indexPage(operations, commentOf))]]);
  for (const operation of operations) {
    pages.set(operation.name.toLowerCase(), htmlAsset(operationPage(operation, sample, commentOf)));
  }
  return (name) => {
    const page = pages.get(name.toLowerCase());
    if (page === undefined) throw unknownPath();
    return page;
  };
}

/** Nothing from elsewhere, no script or style in the page itself, and no framing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

function htmlAsset(text: string): Asset {
  const headers = { "content-security-policy": policy };
  return makeAsset("text/html; charset=utf-8", text, headers);
}
