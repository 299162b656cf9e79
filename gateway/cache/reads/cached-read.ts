import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { RawCall } from "../../calls/raw-call.ts";
import type { Page } from "../../http/replies/page.ts";
import type { AnonymousLoaders } from "../../http/replies/reply-loaders.ts";
import type { CompactTranscoder } from "../../rendering/compile-transcoder.ts";
import type { PageCache } from "../pages/page-cache.ts";
import type { FindRelations } from "../pages/relation-digests.ts";
import type { ViewerPages } from "../pages/viewer-pages.ts";
import type { Viewer } from "../pages/viewer-part.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { TokensOf } from "../tokens/token-lists.ts";
import type { BatchRead } from "./batch-read.ts";
import type { ViewerRead } from "./viewer-read.ts";

/** Prepares the read of one request message for anonymous callers; the result is used for each request that equals it. */
export type AnonymousRead = (input: Message) => AnonymousLoaders;

/** The page of one request, if it is in this process. */
export interface LocalPage {
  /** The subjects whose state it shows. */
  subjectKeys: readonly string[];
  /** The page in the state of these tokens, those of the subjects in their order. */
  find(tokens: readonly FreshnessToken[]): Page | undefined;
  /** The same for a viewer, to be called again while the viewer and the tokens are the same; undefined where the page is not in this process. */
  forViewer(viewer: Viewer, tokens: readonly FreshnessToken[]): FindPage | undefined;
}

/** Finds one page again. It holds no page, viewer or entry, so that what the cache has evicted does not stay in memory. */
export type FindPage = () => Page | undefined;

/** An item of a batch whose tokens have been asked for. */
export interface BatchItem {
  /** The states to show; for a viewer with its own state first. */
  tokens: readonly FreshnessToken[];
  /** undefined: not in this process. */
  page: Page | undefined;
}

/** The reads of one cached operation; only `anonymous` where nothing is cached. */
export interface CachedReads {
  anonymous: AnonymousRead;
  viewer: ViewerRead | undefined;
  batch: BatchRead | undefined;
}

/** An operation, as far as the cache needs it. */
export interface ReadOperation {
  name: string;
  method: DescMethodUnary;
  /** The transport to its service for what is asked for in batches. */
  transport: Transport;
  /** Whether it changes nothing. */
  isRead: boolean;
  /** The JSON of a reply without anything in it. */
  emptyReply: Buffer;
  call: RawCall;
  /** The JSON of a reply. @throws ConnectError when it cannot be read */
  render: CompactTranscoder;
}

/** What all cached operations share. */
export interface ReadCache {
  tokensOf: TokensOf;
  pages: PageCache;
  viewerPages: ViewerPages;
  findRelations: FindRelations;
  /** How many bytes of entries one operation may cache. */
  entryBytes: number;
}
