import type { IncomingMessage } from "node:http";
import { bodyTooLarge, malformedRequest } from "../errors/catalog.ts";
import { PublicError } from "../errors/public-error.ts";
import { maxBodyBytes } from "../limits.ts";

/**
 * Reads a request's body to its end, on every verb.
 * @throws PublicError 413 above 1 MiB, at once when the length is announced; what is left of the body is not read then.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
  if (announcesTooMuch(request)) return Promise.reject(bodyTooLarge());
  const failure = failures.get(request);
  if (failure !== undefined) return Promise.reject(failure);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBodyBytes) settle(() => reject(bodyTooLarge()));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onError = (error: Error) => settle(() => reject(error instanceof PublicError ? error : cutOff()));
    const settle = (outcome: () => void) => {
      request.off("data", onData).off("end", onEnd).off("close", onError);
      // onError stays: an error without a listener would end the process.
      outcome();
    };
    request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onError);
  });
}

/** Ends the reading of a body whose rest is malformed or does not come, also when it has not begun yet. */
export function failBody(request: IncomingMessage, failure: PublicError): void {
  failures.set(request, failure);
  if (request.listenerCount("error") > 0) request.emit("error", failure);
}

const failures = new WeakMap<IncomingMessage, PublicError>();

/** Whether a request says that its body is above the limit. */
export function announcesTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) > maxBodyBytes;
}

/** Whether some of a request's body has not come in yet. */
export function isUnread(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete;
}

// Nobody hears this: the client is gone. It keeps the log free of a defect that is none.
function cutOff(): PublicError {
  return malformedRequest("The request ended before its body did.");
}

/** Whether a request has a body, as RFC 9112 §6 tells it. */
function hasBody(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}
