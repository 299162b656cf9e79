import type { Message } from "@bufbuild/protobuf";
import type { Deadline } from "../../http/limits/deadline.ts";
import { tagWithBody } from "../../http/replies/entity-tag.ts";
import { createBatchFrame, type Page } from "../../http/replies/page.ts";
import { type AnonymousLoaders, LeftToRouter } from "../../http/replies/reply-loaders.ts";
import { JsonList } from "../../rendering/assembled-bytes.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { TokensOf } from "../tokens/token-lists.ts";

/** The page of one request, if it is in this process. */
export interface LocalPage {
  /** The subjects whose state it shows. */
  subjectKeys: readonly string[];
  /** The page in the state of these tokens, those of the subjects in their order. */
  find(tokens: readonly FreshnessToken[]): Page | undefined;
}

/** Reads batches whose pages are in this process, for anonymous callers: one call for all tokens. Its reads reject with ConnectError. */
export interface BatchRead {
  /**
   * Prepares the read of a batch whose pages are all in this process; no byte is copied. Where one is missing, a load rejects with LeftToRouter.
   * @param body the batch itself, for its entity tag
   * @returns undefined if one of the pages is never cached
   */
  whole(inputs: readonly Message[], body: Buffer): AnonymousLoaders | undefined;
  /**
   * The tokens of a batch's items and their local pages, in the items' order; undefined for an item that is never cached, and none for a
   * batch about more than `maxSubjects` subjects.
   */
  items(inputs: readonly Message[], deadline: Deadline): Promise<readonly (BatchItem | undefined)[]>;
}

/** An item of a batch whose tokens have been asked for. */
export interface BatchItem {
  tokens: readonly FreshnessToken[];
  /** undefined: not in this process. */
  page: Page | undefined;
}

/** @param localPageOf undefined for a request whose page is never cached */
export function batchRead(localPageOf: (input: Message) => LocalPage | undefined, tokensOf: TokensOf): BatchRead {
  return {
    whole(inputs, body) {
      const items = inputs.map(localPageOf);
      return items.every((item) => item !== undefined) ? loadBatch(items, body, tokensOf) : undefined;
    },
    async items(inputs, deadline) {
      const items: (LocalPage | undefined)[] = [];
      const subjectKeys: string[] = [];
      for (const input of inputs) {
        const item = localPageOf(input);
        items.push(item);
        subjectKeys.push(...(item?.subjectKeys ?? []));
        // At once: the names of a hundred large lookups would block the event loop.
        if (subjectKeys.length > maxSubjects) return [];
      }
      if (subjectKeys.length === 0) return [];
      return findAll(items, await tokensOf(subjectKeys).read(deadline));
    },
  };
}

/** Subjects of one batch whose tokens are asked for at once: those of 100 timelines, or of ten lookups of 100 users. */
const maxSubjects = 1_000;

/** Bytes of a batch that is assembled at once; the router sends longer ones in parts. A hundred timelines of twenty take 3 MB. */
const maxAssembledBatch = 4 * 1024 * 1024;

function loadBatch(items: readonly LocalPage[], body: Buffer, tokensOf: TokensOf): AnonymousLoaders {
  const asked = tokensOf(items.flatMap((item) => item.subjectKeys));
  // Made again only for other pages: it costs more than finding them. Without its bytes: pages that the cache has evicted would stay in memory.
  let last: { tags: readonly string[]; frame: Omit<Page, "bytes"> } | undefined;
  const find = (tokens: readonly FreshnessToken[]): Page | undefined => {
    const pages = findAll(items, tokens).map((item) => item?.page);
    if (!pages.every((page) => page !== undefined)) return undefined;
    const bytes = new JsonList(pages.map((page) => page.bytes));
    if (bytes.length > maxAssembledBatch) return undefined;
    const tags = pages.map(({ etag }) => etag);
    if (last === undefined || last.tags.some((tag, index) => tag !== tags[index])) {
      last = { tags, frame: createBatchFrame(pages.length, bytes.length, tagWithBody(body, tags)) };
    }
    return { ...last.frame, bytes };
  };
  return {
    async load(_form, deadline, tokens) {
      const page = tokens === undefined ? find(await asked.read(deadline)) : undefined;
      if (page === undefined) throw new LeftToRouter();
      return page;
    },
    local: { states: asked, find },
  };
}

/** @param tokens those of all items' subjects, in their order */
function findAll(
  items: readonly (LocalPage | undefined)[],
  tokens: readonly FreshnessToken[],
): (BatchItem | undefined)[] {
  let next = 0;
  return items.map((item) => {
    if (item === undefined) return undefined;
    const own = tokens.slice(next, (next += item.subjectKeys.length));
    return { tokens: own, page: item.find(own) };
  });
}
