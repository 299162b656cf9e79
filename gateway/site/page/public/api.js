/** An error of the contract: its status, its words, and the fields at fault. */
export class ApiError extends Error {
  /** @param {number} status @param {{ message?: string, errors?: { fieldName: string, message: string }[] }} said */
  constructor(status, said) {
    super(said.message ?? "The answer could not be read.");
    this.status = status;
    this.fields = said.errors ?? [];
  }
}

/** Users by name, unknown ones left out. @param {string[]} names @param {AbortSignal} signal */
export async function findUsers(names, signal) {
  return (await call(`/social/${encodeURIComponent(names.join(","))}`, { signal })).results;
}

/**
 * Statuses of one user, newest first.
 * @param {string} user
 * @param {{ take: number, maxId?: string, sinceId?: string }} page maxId counts itself in, sinceId itself out
 * @param {AbortSignal} signal
 */
export async function listStatuses(user, page, signal) {
  const query = new URLSearchParams({ take: `${page.take}` });
  if (page.maxId !== undefined) query.set("maxId", page.maxId);
  if (page.sinceId !== undefined) query.set("sinceId", page.sinceId);
  return (await call(`/social/${encodeURIComponent(user)}/timelines?${query}`, { signal })).results;
}

/** Makes an account. @param {Record<string, unknown>} request @returns {Promise<{ userName: string }>} */
export function register(request) {
  const headers = { "content-type": "application/json" };
  return call("/register", { method: "POST", headers, body: JSON.stringify(request) });
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @throws {ApiError} of status 0 when nothing came back at all
 */
async function call(path, init) {
  const reply = await fetch(path, init).catch(() => undefined);
  if (reply === undefined) throw new ApiError(0, { message: "The server cannot be reached. Try again in a moment." });
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new ApiError(reply.status, body.responseStatus ?? {});
  return body;
}
