import type { Message } from "@bufbuild/protobuf";
import type { Deadline } from "../../http/limits/deadline.ts";
import { type AnonymousLoaders, NeedsRouter, type ReplyLoaders } from "../../http/replies/reply-loaders.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import { createBatchPage, tokensOfEach } from "./batch-page.ts";
import type { BatchItem, LocalPage, ReadCache } from "./cached-read.ts";
import { findForViewer, viewerBatch } from "./viewer-batch.ts";

/** Reads batches whose pages are in this process: one call for all tokens. Its reads reject with ConnectError. */
export interface BatchRead {
  /**
   * Prepares the read of a batch whose pages are all in this process; no byte is copied. Where one is missing, a load rejects with NeedsRouter.
   * @param body the batch itself, for its entity tag
   * @returns undefined if one of the pages is never cached, or the batch is about more than `maxSubjects` subjects
   */
  whole(inputs: readonly Message[], body: Buffer): Required<ReplyLoaders> | undefined;
  /**
   * The tokens of a batch's items and their local pages, in the items' order; undefined for an item that is never cached, and none for a
   * batch about more than `maxSubjects` subjects.
   * @param viewerId a user id; undefined for an anonymous caller
   */
  items(
    inputs: readonly Message[],
    viewerId: string | undefined,
    deadline: Deadline,
  ): Promise<readonly (BatchItem | undefined)[]>;
}

/** @param localPageOf undefined for a request whose page is never cached */
export function batchRead(localPageOf: (input: Message) => LocalPage | undefined, cache: ReadCache): BatchRead {
  const { tokensOf } = cache;

  /** The items' local pages, undefined for one that is never cached; undefined for a batch about more than `maxSubjects` subjects. */
  function localPagesOf(inputs: readonly Message[]): (LocalPage | undefined)[] | undefined {
    const items: (LocalPage | undefined)[] = [];
    let subjects = 0;
    for (const input of inputs) {
      const item = localPageOf(input);
      subjects += item?.subjectKeys.length ?? 0;
      // At once: items may share the names of a short query, and those of a hundred large lookups take 10 MB and block the event loop.
      if (subjects > maxSubjects) return undefined;
      items.push(item);
    }
    return items;
  }

  return {
    whole(inputs, body) {
      const items = localPagesOf(inputs);
      if (items === undefined || !items.every((item) => item !== undefined)) return undefined;
      const subjectKeys = items.flatMap((item) => item.subjectKeys);
      const anonymous = loadBatch(items, body, tokensOf(subjectKeys));
      const listed = Math.max(0, subjectKeys.length - items.length);
      return { anonymous, forViewer: viewerBatch(items, body, cache), items: items.length, listed };
    },
    async items(inputs, viewerId, deadline) {
      const items = localPagesOf(inputs) ?? [];
      const subjectKeys = items.flatMap((item) => item?.subjectKeys ?? []);
      if (subjectKeys.length === 0) return [];
      if (viewerId === undefined) return findAll(items, await tokensOf(subjectKeys).read(deadline));
      return findForViewer(viewerId, items, cache, deadline);
    },
  };
}

/** Subjects of one batch whose tokens are asked for at once: those of 100 timelines, or of ten lookups of 100 users. */
const maxSubjects = 1_000;

function loadBatch(items: readonly LocalPage[], body: Buffer, asked: TokenList): AnonymousLoaders {
  const pageOf = createBatchPage(body, false);
  const find = (tokens: readonly FreshnessToken[]) => pageOf(findAll(items, tokens).map((item) => item?.page));
  return {
    async load(_form, deadline, tokens) {
      const page = tokens === undefined ? find(await asked.read(deadline)) : undefined;
      if (page === undefined) throw new NeedsRouter();
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
  const ofEach = tokensOfEach(items, tokens);
  return items.map((item, index) => {
    const own = ofEach[index] ?? [];
    return item && { tokens: own, page: item.find(own) };
  });
}
