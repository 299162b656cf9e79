import type { Message } from "@bufbuild/protobuf";
import { batchTag } from "../http/replies/entity-tag.ts";
import { listParts } from "../http/replies/list-parts.ts";
import { createBatchFrame, LeftToRouter, type LoadPage, type Page } from "../http/replies/page.ts";
import type { Ask } from "./batcher.ts";
import type { CachedReads } from "./cached-read.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** The page of one understood request, as far as it is in this process. */
export interface HeldPage {
  /** The subjects whose state it shows. */
  subjectKeys: readonly string[];
  /** The page in the state of these tokens, those of the subjects in their order. */
  find(tokens: readonly FreshnessToken[]): Page | undefined;
}

/**
 * Reads batches whose pages are all in this process: one question for all tokens, and no byte is copied. What it gives rejects
 * with LeftToRouter where a page is not, else as `tokensOf` does.
 * @param held undefined for a request whose page is never cached
 * @returns its `body` is the batch itself, which tells it from others in its tag
 */
export function batchRead(
  held: (input: Message) => HeldPage | undefined,
  tokensOf: Ask<FreshnessToken>,
): NonNullable<CachedReads["batch"]> {
  return (inputs, body) => {
    const items = inputs.map(held);
    return items.every((item) => item !== undefined) ? loadBatch(items, body, tokensOf) : undefined;
  };
}

function loadBatch(items: readonly HeldPage[], body: Buffer, tokensOf: Ask<FreshnessToken>): LoadPage {
  const subjectKeys = items.flatMap((item) => item.subjectKeys);
  // Made again only for other pages: it costs more than finding them.
  let last: { tags: string; frame: Page } | undefined;
  return async (_form, deadline) => {
    const pages = findAll(items, await tokensOf(subjectKeys, deadline));
    const tags = pages.map(({ etag }) => etag);
    if (last?.tags !== tags.join()) last = { tags: tags.join(), frame: createBatchFrame(pages, batchTag(body, tags)) };
    // The parts are not kept with it: they would hold pages that the cache has given up.
    return { ...last.frame, parts: listParts(pages.map(({ bytes }) => bytes)) };
  };
}

function findAll(items: readonly HeldPage[], tokens: readonly FreshnessToken[]): Page[] {
  let next = 0;
  return items.map(({ subjectKeys, find }) => {
    const page = find(tokens.slice(next, (next += subjectKeys.length)));
    if (page === undefined) throw new LeftToRouter();
    return page;
  });
}
