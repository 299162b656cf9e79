import { tagWithBody } from "../../http/replies/entity-tag.ts";
import { createBatchFrame, type Page } from "../../http/replies/page.ts";
import { JsonList } from "../../rendering/assembled-bytes.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { LocalPage } from "./cached-read.ts";

/** Makes the reply to one batch of its items' pages, without copying them; undefined where one is missing, or all together are too long. */
export type BatchPage = (pages: readonly (Page | undefined)[]) => Page | undefined;

/**
 * @param body the batch itself, for its entity tag
 * @param isPrivate whether the reply is for one viewer
 */
export function createBatchPage(body: Buffer, isPrivate: boolean): BatchPage {
  // Made again only for other pages: it costs more than finding them. Without its bytes: pages that the cache has evicted would stay in memory.
  let last: { tags: readonly string[]; frame: Omit<Page, "bytes"> } | undefined;
  return (pages) => {
    if (!pages.every((page) => page !== undefined)) return undefined;
    const bytes = new JsonList(pages.map((page) => page.bytes));
    if (bytes.length > maxAssembledBatch) return undefined;
    const tags = pages.map(({ etag }) => etag);
    if (last === undefined || last.tags.some((tag, index) => tag !== tags[index])) {
      last = { tags, frame: createBatchFrame(pages.length, bytes.length, tagWithBody(body, tags), isPrivate) };
    }
    return { ...last.frame, bytes };
  };
}

/** The tokens of each item, of those of all items' subjects in their order; none for an item that is never cached. */
export function tokensOfEach(
  items: readonly (Pick<LocalPage, "subjectKeys"> | undefined)[],
  tokens: readonly FreshnessToken[],
): FreshnessToken[][] {
  let next = 0;
  return items.map((item) => tokens.slice(next, (next += item?.subjectKeys.length ?? 0)));
}

/** Bytes of a batch that is assembled at once; the router sends longer ones in parts. A hundred timelines of twenty take 3 MB. */
const maxAssembledBatch = 4 * 1024 * 1024;
