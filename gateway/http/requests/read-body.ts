import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyTooLarge, malformedRequest } from "../errors/catalog.ts";
import { PublicError } from "../errors/public-error.ts";
import { maxBodyBytes, maxChunks, shortBodyBytes } from "../limits/limits.ts";
import type { ByteBudget, ByteShare } from "../load/byte-budget.ts";
import { onceClosed } from "./once-closed.ts";

/**
 * Reads a request's body to its end, on every verb; once, however often it is asked for.
 * @param budget the memory of all bodies; this one counts until its request is answered
 * @throws PublicError 413 above 1 MiB, at once when the length is announced; 503 when the budget is used up. What is left of
 * the body is not read then.
 */
export function readBody(request: IncomingMessage, response: ServerResponse, budget: ByteBudget): Promise<Buffer> {
  const state = stateOf(request);
  state.read ??= readOnce(request, response, budget);
  return state.read;
}

/** A body that has been read to its end. */
export function bodyOf(request: IncomingMessage): Buffer | undefined {
  return stateOf(request).bytes;
}

/** What has been read of the body of a request. */
interface BodyState {
  read: Promise<Buffer> | undefined;
  /** Once it has been read to its end. */
  bytes: Buffer | undefined;
  /** Why it cannot be read. */
  failure: PublicError | undefined;
}

const bodyState = Symbol("body");

// A property of the request: an entry of a weak map for each request is work for the garbage collector.
function stateOf(request: IncomingMessage & { [bodyState]?: BodyState }): BodyState {
  request[bodyState] ??= { read: undefined, bytes: undefined, failure: undefined };
  return request[bodyState];
}

function readOnce(request: IncomingMessage, response: ServerResponse, budget: ByteBudget): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
  if (announcesTooMuch(request)) return Promise.reject(bodyTooLarge());
  const state = stateOf(request);
  if (state.failure !== undefined) return Promise.reject(state.failure);
  const length = Number(request.headers["content-length"] ?? maxBodyBytes);
  return new Promise((resolve, reject) => {
    const share = length <= shortBodyBytes ? uncounted : budget.open();
    onceClosed(request, response, () => {
      share.release();
      if (!response.writableFinished) return;
      // Node keeps the last request of an idle connection: it must not keep its body in memory.
      request.off("error", onError).on("error", ignore);
      Object.assign(state, { read: undefined, bytes: undefined });
    });
    const body = new GrowingBody(share, length);
    const onData = (chunk: Buffer) => {
      try {
        body.add(chunk);
      } catch (error) {
        onError(error as Error);
      }
    };
    const onEnd = () => {
      state.bytes = body.bytes();
      settle(() => resolve(body.bytes()));
    };
    const onError = (error?: Error) => {
      share.release();
      settle(() => reject(error instanceof PublicError ? error : cutOff()));
    };
    const settle = (outcome: () => void) => {
      request.off("data", onData).off("end", onEnd).off("close", onError);
      // onError stays: an error without a listener would end the process.
      outcome();
    };
    request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onError);
  });
}

function ignore(): void {}

/** For short bodies: a connection takes more memory. */
const uncounted: ByteShare = { take() {}, protect() {}, release() {} };

/** A buffer that grows: stored one by one, chunks of one byte would take 200 times their size. */
class GrowingBody {
  #buffer: Buffer;
  #size = 0;
  #chunks = 0;
  readonly #share: ByteShare;
  readonly #expected: number;

  /** @param expected bytes, at the most */
  constructor(share: ByteShare, expected: number) {
    this.#share = share;
    this.#expected = expected;
    this.#buffer = this.#allocate(Math.min(expected, minBuffer));
  }

  /** @throws PublicError when it becomes too large, or all bodies together do */
  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > maxBodyBytes || ++this.#chunks > maxChunks) throw bodyTooLarge();
    if (size > this.#buffer.length) {
      const larger = this.#allocate(Math.min(Math.max(size, 4 * this.#buffer.length), this.#expected));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#size);
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  #allocate(length: number): Buffer {
    this.#share.take(length - (this.#buffer?.length ?? 0));
    return Buffer.allocUnsafeSlow(length);
  }
}

/** Bytes that a body counts for from its first byte on. */
const minBuffer = 4 * 1024;

/** Makes the reading of a body fail whose rest is malformed or does not come, also before the reading begins. */
export function failBody(request: IncomingMessage, failure: PublicError): void {
  stateOf(request).failure = failure;
  if (request.listenerCount("error") > 0) request.emit("error", failure);
}

/** Whether a request says that its body is above the limit. */
export function announcesTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) > maxBodyBytes;
}

/** Whether some of a request's body has not come in yet. */
export function isUnread(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete;
}

// Never sent, since the client has disconnected; without this error the log would report a defect.
function cutOff(): PublicError {
  return malformedRequest("The request ended before its body did.");
}

/** Whether a request has a body (RFC 9112 §6). */
function hasBody(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > 0;
}
