import { unknownPath } from "../../http/errors/catalog.ts";
import type { Asset } from "../../http/replies/asset.ts";
import type { Operation } from "../../operations/operation-table.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { indexPage } from "./index-page.ts";
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
