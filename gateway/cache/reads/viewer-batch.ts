import type { Deadline } from "../../http/limits/deadline.ts";
import type { Encoding } from "../../http/replies/encoding.ts";
import type { Page } from "../../http/replies/page.ts";
import { NeedsRouter, type ViewerReplies, type ViewerReply } from "../../http/replies/reply-loaders.ts";
import { absentToken } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import { viewerKey } from "../tokens/list-tokens.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import { type BatchPage, createBatchPage, tokensOfEach } from "./batch-page.ts";
import type { BatchItem, FindPage, LocalPage, ReadCache } from "./cached-read.ts";
import { findViewer, forLastViewer } from "./viewer-read.ts";

/** What one item of a batch asks for, for any viewer. */
type ViewerItem = Pick<LocalPage, "subjectKeys" | "forViewer">;

/** What the reading of a batch for viewers needs of the cache. */
type BatchCache = Pick<ReadCache, "tokensOf" | "findRelations">;

/**
 * Prepares the read of a batch whose pages are all in this process, for viewers; where one is missing, a load rejects with NeedsRouter.
 * @param body the batch itself, for its entity tag
 */
export function viewerBatch(items: readonly ViewerItem[], body: Buffer, cache: BatchCache): ViewerReplies {
  return forLastViewer((viewerId) => new ViewerBatchReply(items, viewerId, createBatchPage(body, true), cache));
}

class ViewerBatchReply implements ViewerReply {
  readonly viewerId: string;
  readonly states: TokenList;
  readonly #items: readonly ViewerItem[];
  readonly #pageOf: BatchPage;
  readonly #cache: BatchCache;
  /** The pages that were sent last, and the tokens that were read for them. */
  #last: { tokens: readonly FreshnessToken[]; pages: ItemPages } | undefined;

  constructor(items: readonly ViewerItem[], viewerId: string, pageOf: BatchPage, cache: BatchCache) {
    this.viewerId = viewerId;
    this.states = cache.tokensOf(subjectsOf(viewerId, items));
    this.#items = items;
    this.#pageOf = pageOf;
    this.#cache = cache;
  }

  find(tokens: readonly FreshnessToken[]): Page | undefined {
    return tokens === this.#last?.tokens ? this.#pageOf(findEach(this.#last.pages)) : undefined;
  }

  async load(
    _encoding: Encoding,
    deadline: Deadline,
    asked: readonly string[] | Promise<readonly string[]> = this.states.read(deadline),
  ) {
    const tokens = await asked;
    const shown = this.find(tokens);
    if (shown !== undefined) return shown;
    const pages = await pagesIn(tokens, this.viewerId, this.#items, this.#cache, deadline);
    const page = this.#pageOf(findEach(pages));
    if (page === undefined) throw new NeedsRouter();
    this.#last = { tokens, pages };
    return page;
  }
}

/**
 * The tokens of a batch's items for a viewer, as a load takes them, and their pages, in the items' order; undefined for an item that is
 * never cached. Rejects with ConnectError.
 */
export async function findForViewer(
  viewerId: string,
  items: readonly (ViewerItem | undefined)[],
  cache: BatchCache,
  deadline: Deadline,
): Promise<(BatchItem | undefined)[]> {
  const tokens = await cache.tokensOf(subjectsOf(viewerId, items)).read(deadline);
  const pages = findEach(await pagesIn(tokens, viewerId, items, cache, deadline));
  const [own = "", ...others] = tokens;
  const ofEach = tokensOfEach(items, others);
  return items.map((item, index) => item && { page: pages[index], tokens: [own, ...(ofEach[index] ?? [])] });
}

/** The subjects whose states a batch shows, the viewer first. */
function subjectsOf(viewerId: string, items: readonly (ViewerItem | undefined)[]): string[] {
  return [viewerKey(viewerId), ...items.flatMap((item) => item?.subjectKeys ?? [])];
}

/** Each item's page; undefined for one that is not in this process. */
type ItemPages = readonly (FindPage | undefined)[];

/** @param tokens those of `subjectsOf`, in their order */
async function pagesIn(
  [own = "", ...tokens]: readonly FreshnessToken[],
  userId: string,
  items: readonly (ViewerItem | undefined)[],
  cache: BatchCache,
  deadline: Deadline,
): Promise<ItemPages> {
  // Such a viewer's replies are never cached.
  if (own === "" || own === absentToken) return items.map(() => undefined);
  const viewer = await findViewer(userId, own, cache, deadline);
  const ofEach = tokensOfEach(items, tokens);
  return items.map((item, index) => item?.forViewer(viewer, ofEach[index] ?? []));
}

function findEach(pages: ItemPages): (Page | undefined)[] {
  return pages.map((find) => find?.());
}
