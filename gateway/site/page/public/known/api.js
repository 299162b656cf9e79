/** An error of the contract: its status and code, its words, and the fields at fault. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when no answer came at all
   * @param {{ errorCode?: string, message?: string, errors?: { fieldName: string, errorCode: string, message: string }[] }} said
   * @param {number} [waitSeconds] after which it can be tried again
   */
  constructor(status, said, waitSeconds) {
    super(said.message ?? "The answer could not be read.");
    this.status = status;
    this.code = said.errorCode ?? "";
    this.fields = said.errors ?? [];
    this.waitSeconds = waitSeconds;
  }
}

/** Milliseconds that a call may take. */
const timeoutMs = 20_000;
/** Milliseconds before a write without an answer is sent once more. */
const pauseMs = 1_000;

/** Reads a path. @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export function read(path, signal) {
  return call(path, {}, signal);
}

/**
 * Runs an operation that needs no request id.
 * @param {string} operation @param {object} fields @param {AbortSignal} [signal] @param {Record<string, string>} [more] headers
 * @returns {Promise<any>}
 */
export function ask(operation, fields, signal, more) {
  const headers = { "content-type": "application/json", ...more };
  return call(`/json/reply/${operation}`, { method: "POST", headers, body: JSON.stringify(fields) }, signal);
}

/**
 * Changes something. Where no answer comes it is sent once more under the same request id, so that it is done once at most.
 * @param {string} operation @param {object} fields @param {string} [requestId] @returns {Promise<any>}
 */
export async function write(operation, fields, requestId = newRequestId()) {
  const request = { ...fields, requestId };
  try {
    return await ask(operation, request);
  } catch (error) {
    if (!isUnanswered(error) || !navigator.onLine) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return ask(operation, request);
  }
}

/** Sends a write while the page goes away, when no answer can be waited for. @param {string} operation @param {object} fields */
export function writeAtEnd(operation, fields) {
  const body = JSON.stringify({ ...fields, requestId: newRequestId() });
  const headers = { "content-type": "application/json" };
  void fetch(`/json/reply/${operation}`, { method: "POST", keepalive: true, headers, body }).catch(() => {});
}

/** Whether a write may or may not have been done. @param {unknown} error */
export function isUnanswered(error) {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

/** A UUID; randomUUID is there over https and on this machine only. */
export function newRequestId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** @type {() => void} */
let unauthorized = () => {};

/** Has a function called whenever an answer says that the caller is not signed in. @param {() => void} listener */
export function onUnauthorized(listener) {
  unauthorized = listener;
}

/** @param {string} path @param {RequestInit} init @param {AbortSignal} [signal] */
async function call(path, init, signal) {
  const limit = AbortSignal.timeout(timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const reply = await fetch(path, { ...init, signal: both });
    const body = await reply.json().catch((error) => {
      // Half an answer is none; an error may come from a proxy, in words of its own.
      if (reply.ok) throw error;
      return {};
    });
    if (reply.status === 401) unauthorized();
    if (!reply.ok) throw new ApiError(reply.status, body.responseStatus ?? {}, waitOf(reply));
    return { ...body, version: reply.headers.get("x-version") ?? undefined };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, { message: "The server cannot be reached. Try again in a moment." });
  }
}

/** @param {Response} reply */
function waitOf(reply) {
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
