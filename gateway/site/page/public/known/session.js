import { ApiError, ask, onUnauthorized, write } from "./api.js";
import { sendDeletions } from "./deletions.js";
import { forgetDrafts } from "./drafts.js";
import { keep, kept, meKey } from "./seen.js";
import { known, learn, refresh } from "./store.js";

// The session itself is a cookie that no script can read. What is kept here only lets the page begin with the right view.
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("roost.session") : undefined;

/** Finds out who is signed in, and keeps finding out: after a refusal, and when another tab signs in or out. */
export function startSession() {
  learn({ me: rememberedMe() });
  onUnauthorized(() => {
    if (known.me !== undefined) void checkSession();
  });
  if (tabs !== undefined) tabs.onmessage = () => void checkSession();
  return checkSession();
}

let asking = /** @type {Promise<void> | undefined} */ (undefined);

/** Asks who is signed in. Nothing changes when no answer comes. */
export function checkSession() {
  asking ??= askWho().finally(() => (asking = undefined));
  return asking;
}

async function askWho() {
  try {
    const { userId, userName, displayName } = await ask("Authenticate", {});
    become({ userId, userName, displayName });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500 || error.status === 429) return;
    learn({ canSignIn: error.status === 401 });
    if (known.me === undefined) return;
    become(undefined);
    learn({ wasSignedOut: true });
  }
}

/** Signs in. @param {{ userName: string, password: string }} request @throws {ApiError} */
export async function signIn(request) {
  const { userId, userName, displayName } = await ask("Authenticate", { provider: "credentials", ...request });
  become({ userId, userName, displayName });
  tabs?.postMessage("changed");
}

/**
 * Makes an account.
 * @param {Record<string, unknown>} request @param {string} invitation empty where none is needed
 * @returns {Promise<string>} its name @throws {ApiError}
 */
export async function register(request, invitation) {
  const { userId, userName } = await ask(
    "Registration",
    request,
    undefined,
    invitation === "" ? {} : { "x-invitation": invitation },
  );
  if (request.autoLogin === true && known.canSignIn) {
    become({ userId, userName, displayName: `${request.displayName ?? userName}` });
    tabs?.postMessage("changed");
  }
  return userName;
}

/** Signs out. Drafts go too: the next one at this machine may be another person. @throws {ApiError} */
export async function signOut() {
  await sendDeletions();
  await ask("Authenticate", { provider: "logout" });
  endSession();
}

/** Forgets who was signed in, after the server has. */
export function endSession() {
  become(undefined);
  forgetDrafts();
  learn({ wasSignedOut: false });
  tabs?.postMessage("changed");
}

/**
 * Changes something for which the reader gives the password once more.
 * @param {string} operation @param {Record<string, string>} fields @param {string} field the one with the password
 * @throws {ApiError}
 */
export async function writeWithPassword(operation, fields, field) {
  try {
    await write(operation, fields);
  } catch (error) {
    if (error.status !== 401) throw error;
    // The session may have ended, or the password is wrong.
    await checkSession();
    if (known.me === undefined) throw error;
    const message = "That is not your password.";
    throw new ApiError(401, { message, errors: [{ fieldName: field, errorCode: "", message }] });
  }
}

/** @param {import("./store.js").Me | undefined} me */
function become(me) {
  const changed = me?.userId !== known.me?.userId;
  keep(meKey, me && JSON.stringify(me));
  learn({ me, ...(me === undefined ? {} : { wasSignedOut: false, canSignIn: true }) });
  if (changed) refresh();
}

/** @returns {import("./store.js").Me | undefined} */
function rememberedMe() {
  try {
    const { userId, userName, displayName } = JSON.parse(kept(meKey) ?? "{}");
    return userId && userName
      ? { userId: `${userId}`, userName: `${userName}`, displayName: `${displayName}` }
      : undefined;
  } catch {
    return undefined;
  }
}
