import type { ServerResponse } from "node:http";
import { toBinary } from "@bufbuild/protobuf";
import { StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import type { ReadNewsResponse } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";

/** Whose stream it is, and of what. */
export interface Reader {
  /** The presented session that stood when the stream was opened; "" for none. */
  sessionId: string;
  /** 0 for an anonymous reader. */
  viewerId: bigint;
  /** "" for the reader's home. */
  screenName: string;
}

/** An open stream. What it sends is in the form of WHATWG HTML §9.2. */
export class Stream {
  readonly reader: Reader;
  readonly #response: ServerResponse;
  /** Where the next read begins. */
  cursor: string;
  authorIds: readonly bigint[];
  /** The versions of reader and author, when they were last asked for. */
  versions: string | undefined;
  /** Whether there may be something to read, and whether the authors have to be listed. */
  hasNews = false;
  listsAuthors = false;
  isPolling = false;
  /** By performance.now(). */
  polledAt = 0;
  commentAt: number;
  #removals: readonly string[];

  /** Begins with the place of the reader and with what the first read found. */
  constructor(reader: Reader, response: ServerResponse, first: ReadNewsResponse & { begin: string }) {
    this.reader = reader;
    this.#response = response;
    this.cursor = first.begin;
    this.authorIds = first.authorIds;
    this.#removals = [];
    this.commentAt = performance.now() + commentMs;
    response.write(`id: ${first.begin}\n\n`);
    this.add(first);
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Writes what a read found. @param isReset whether something else was lost */
  add({ news, cursor, isLost, removals }: ReadNewsResponse, isReset = false): void {
    if (!this.isOpen) return;
    const hasLost = isReset || isLost || removals.some((one) => !this.#removals.includes(one));
    const blocks = news.map((one) => {
      const json = one.status && transcode(toBinary(StatusSchema, one.status));
      return `id: ${one.cursor}\nevent: status\ndata: ${json}\n\n`;
    });
    // First: a reader who has only some of the statuses begins after them, and would not be told again. Without any, not told again either.
    if (hasLost) blocks.unshift(`${blocks.length === 0 ? `id: ${cursor}\n` : ""}event: reset\ndata: {}\n\n`);
    this.cursor = cursor;
    this.#removals = removals;
    if (blocks.length > 0) this.#response.write(blocks.join(""));
  }

  /** Waits until what was written is on its way, and disconnects a client that does not read. */
  async taken(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    const response = this.#response;
    const timer = setTimeout(() => response.destroy(), slowMs);
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off("drain", done).off("close", done);
        resolve();
      };
      response.on("drain", done).on("close", done);
    });
    clearTimeout(timer);
  }

  /** Shows proxies and clients that the stream is there. */
  comment(now: number): void {
    this.commentAt = now + commentMs;
    if (this.isOpen && !this.#response.writableNeedDrain) this.#response.write(":\n\n");
  }

  /** @param retryMs after which the client is to come back */
  end(retryMs?: number): void {
    if (!this.isOpen) return;
    this.#response.end(retryMs === undefined ? "" : `retry: ${retryMs}\n\n`);
    // A client that does not read would keep the connection open.
    setTimeout(() => this.#response.destroy(), 1_000).unref();
  }
}

const transcode = compileTranscoder(StatusSchema);

const commentMs = 15_000;

/** Milliseconds for which a client may read nothing of what does not fit into the buffers of the connection. */
const slowMs = 5_000;
