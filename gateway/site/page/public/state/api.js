/** An error reply: its status, code, message and the fields at fault (contract §5). */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when no reply came
   * @param {{ errorCode?: string, message?: string, errors?: { fieldName: string, errorCode: string, message: string }[] }} responseStatus
   * @param {number} [waitSeconds] the reply's Retry-After
   */
  constructor(status, { errorCode = "", message, errors = [] }, waitSeconds) {
    super(message ?? "The answer could not be read.");
    this.status = status;
    this.code = errorCode;
    this.fields = errors;
    this.waitSeconds = waitSeconds;
  }

  /** Whether the gateway does not serve the operation (PUBLIC_OPERATIONS). */
  get isMissing() {
    return this.status === 405;
  }
}

/** Milliseconds after which a call fails. */
const timeoutMs = 20_000;
/** Milliseconds before a write without a reply is sent again. */
const retryAfterMs = 1_000;

/** Sends a GET. @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
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
 * Runs an operation that changes something. Without a reply it is sent once more under the same request id, so the change is made at most once.
 * @param {string} operation @param {object} fields @param {string} [requestId] @returns {Promise<any>}
 */
export async function write(operation, fields, requestId = newRequestId()) {
  const request = { ...fields, requestId };
  try {
    return await ask(operation, request);
  } catch (error) {
    if (!isOutcomeUnknown(error) || !navigator.onLine) throw error;
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    return ask(operation, request);
  }
}

/** Sends a write while the page is being closed, without waiting for the reply. @param {string} operation @param {object} fields */
export function writeOnClose(operation, fields) {
  const body = JSON.stringify({ ...fields, requestId: newRequestId() });
  const headers = { "content-type": "application/json" };
  void fetch(`/json/reply/${operation}`, { method: "POST", keepalive: true, headers, body }).catch(() => {});
}

/** Whether it is unknown if a write was made. @param {unknown} error */
export function isOutcomeUnknown(error) {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

/** A random UUID. `randomUUID` exists over https and on localhost only. */
export function newRequestId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** @type {() => void} */
let unauthorizedListener = () => {};

/** Sets the function that is called at every 401. @param {() => void} listener */
export function onUnauthorized(listener) {
  unauthorizedListener = listener;
}

/** @param {string} path @param {RequestInit} init @param {AbortSignal} [signal] */
async function call(path, init, signal) {
  const limit = AbortSignal.timeout(timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const reply = await fetch(path, { ...init, signal: both });
    const body = await reply.json().catch((error) => {
      // A cut-off reply fails. The error of a proxy may not be JSON.
      if (reply.ok) throw error;
      return {};
    });
    if (reply.status === 401) unauthorizedListener();
    if (!reply.ok) throw new ApiError(reply.status, body.responseStatus ?? {}, retryAfterOf(reply));
    return { ...body, version: reply.headers.get("x-version") ?? undefined };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = navigator.onLine
      ? "The server cannot be reached. Try again in a moment."
      : "You are offline. Try again when you are back.";
    throw new ApiError(0, { message });
  }
}

/** @param {Response} reply */
function retryAfterOf(reply) {
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
