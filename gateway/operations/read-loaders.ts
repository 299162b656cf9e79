import type { Message } from "@bufbuild/protobuf";
import type { CachedReads } from "../cache/reads/cached-read.ts";
import type { AnonymousLoaders, ReplyLoaders, ViewerReplies } from "../http/replies/reply-loaders.ts";

/**
 * The loaders of the reply to one request of a cached operation. The one for viewers is made when it is needed: most targets of the
 * fast path are only read by anonymous callers, and it takes 800 of the 1,900 bytes of both.
 */
export class ReadLoaders implements ReplyLoaders {
  readonly anonymous: AnonymousLoaders;
  readonly listed: number;
  readonly #reads: CachedReads;
  readonly #input: Message;
  #viewer: ViewerReplies | undefined;

  /** @param listed how many users the lists of `input` name */
  constructor(reads: CachedReads, input: Message, listed: number) {
    this.anonymous = reads.anonymous(input);
    this.listed = listed;
    this.#reads = reads;
    this.#input = input;
  }

  get forViewer(): ViewerReplies | undefined {
    this.#viewer ??= this.#reads.viewer?.(this.#input);
    return this.#viewer;
  }
}
