import type { ServerResponse } from "node:http";
import { toBinary } from "@bufbuild/protobuf";
import { type Status, StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import type { Reading } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";
import type { AuthorIds } from "./author-ids.ts";

/** Whose stream it is, and of what. */
export interface Reader {
  /** The presented session that stood when the stream was opened; "" for none. */
  sessionId: string;
  /** 0 for an anonymous reader. */
  viewerId: bigint;
  /** "" for the reader's home. */
  screenName: string;
}

/** What a stream begins with. */
export interface Begin {
  /** Where the reader stands. */
  cursor: string;
  /** Something was lost before that. */
  isReset: boolean;
  authorIds: AuthorIds;
}

/** An open stream. What it sends is in the form of WHATWG HTML §9.2. */
export class Stream {
  readonly reader: Reader;
  readonly #response: ServerResponse;
  /** Where the next read begins. */
  cursor: string;
  authorIds: AuthorIds;
  /** The versions of reader and author, when they were last asked for. */
  viewerVersion: string | undefined;
  authorVersion: string | undefined;
  /** Whether it has to be read by itself. */
  hasNews = false;
  isReading = false;
  /** When it was last read by itself, and when the news of all of its authors were last read; by performance.now(). */
  polledAt = 0;
  readAt: number;
  commentAt: number;
  #removals: readonly string[] = [];

  constructor(reader: Reader, response: ServerResponse, { cursor, authorIds, isReset }: Begin) {
    const now = performance.now();
    this.reader = reader;
    this.#response = response;
    this.cursor = cursor;
    this.authorIds = authorIds;
    // Streams that begin together do not go on together.
    this.readAt = now - Math.random() * rereadMs;
    this.commentAt = now + commentMs * Math.random();
    response.write(`id: ${cursor}\n\n${isReset ? `id: ${cursor}\n${reset}` : ""}`);
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Whether the client has taken what was written. */
  get isTaken(): boolean {
    return !this.#response.writableNeedDrain;
  }

  /**
   * Writes what a read found.
   * @param json of the statuses to which the reading refers
   * @param read whether something else was lost, and whether the reading is of all authors
   */
  add({ news, cursor, removals }: Reading, json: readonly string[], read: { isReset: boolean; ofAll: boolean }): void {
    if (!this.isOpen) return;
    const told = new Set(this.#removals);
    const hasLost = read.isReset || removals.some((one) => !told.has(one));
    // First: a reader who has only some of the statuses begins after them, and would not be told again. Without any, not told again either.
    let text = hasLost ? `${news.length === 0 ? `id: ${cursor}\n` : ""}${reset}` : "";
    for (const one of news) text += `id: ${one.cursor}\nevent: status\ndata: ${json[one.index]}\n\n`;
    this.cursor = cursor;
    if (read.ofAll || removals.length > 0) {
      this.#removals = read.ofAll ? removals : [...new Set([...told, ...removals])];
    }
    if (text !== "") this.#response.write(text);
  }

  /** Waits until what was written is on its way, and disconnects a client that does not read. */
  async taken(): Promise<void> {
    if (!this.isOpen || this.isTaken) return;
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
    if (this.isOpen && this.isTaken) this.#response.write(":\n\n");
  }

  /** @param retryMs after which the client is to come back */
  end(retryMs?: number): void {
    if (!this.isOpen) return;
    this.#response.end(retryMs === undefined ? "" : `retry: ${retryMs}\n\n`);
    // A client that does not read would keep the connection open.
    setTimeout(() => this.#response.destroy(), 1_000).unref();
  }
}

/** The JSON of statuses, as operations show them. */
export function jsonOf(statuses: readonly Status[]): string[] {
  return statuses.map((status) => transcode(toBinary(StatusSchema, status)).toString());
}

const transcode = compileTranscoder(StatusSchema);

const reset = "event: reset\ndata: {}\n\n";

const commentMs = 15_000;

/** Milliseconds after which the news of all authors are read without a hint. */
export const rereadMs = 60_000;

/** Milliseconds for which a client may read nothing of what does not fit into the buffers of the connection. */
const slowMs = 5_000;
