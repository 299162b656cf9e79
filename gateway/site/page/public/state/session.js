import { ApiError, ask, onUnauthorized, write } from "./api.js";
import { appState, changeState, refresh } from "./app-state.js";
import { sendDeletions } from "./deletions.js";
import { removeDrafts } from "./drafts.js";
import { meKey, readStored, store } from "./local-storage.js";

// The session is a cookie that no script can read. The stored user only lets the page begin with the right view.
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("roost.session") : undefined;

/** Finds out who is signed in: now, if anyone may be, after each 401, and when another tab signs in or out. */
export async function startSession() {
  changeState({ me: storedUser() });
  onUnauthorized(() => {
    if (appState.me !== undefined) void checkSession();
  });
  if (tabs !== undefined) {
    tabs.onmessage = () => {
      changes++;
      void checkSession();
    };
  }
  // Without a session the answer would be an error, which browsers log. The gateway has seen whether there is a cookie.
  if (appState.me !== undefined || document.body.dataset.hasCookie === "true") await checkSession();
}

/** Counts changes of the session, here and in other tabs: a reply to a question asked before is out of date. */
let changes = 0;

let pendingCheck = /** @type {Promise<void> | undefined} */ (undefined);

/** Asks who is signed in. Without a reply nothing changes. */
export function checkSession() {
  pendingCheck ??= askForUser().finally(() => (pendingCheck = undefined));
  return pendingCheck;
}

/** Resolves when it is known who is signed in, as far as that is being asked. */
export function whenChecked() {
  return pendingCheck;
}

/** @returns {Promise<void>} */
async function askForUser() {
  const before = changes;
  try {
    const { userId, userName, displayName } = await ask("Authenticate", {});
    if (changes !== before) return await askForUser();
    setUser({ userId, userName, displayName });
  } catch (error) {
    if (changes !== before) return askForUser();
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500 || error.status === 429) return;
    if (appState.me === undefined) return;
    setUser(undefined);
    changeState({ wasSignedOut: true });
  }
}

/** Signs in. @param {{ userName: string, password: string }} request @throws {ApiError} */
export async function signIn(request) {
  const { userId, userName, displayName } = await ask("Authenticate", { provider: "credentials", ...request });
  if (!(await hasSession())) throw new ApiError(0, { message: `The password is right, but ${noCookie}` });
  setUser({ userId, userName, displayName });
  tabs?.postMessage("changed");
}

/** Whether this browser was given the cookie of a session that was just opened. Without it every view would lead back to the sign-in. */
async function hasSession() {
  try {
    await ask("Authenticate", {});
    return true;
  } catch (error) {
    return error.status !== 401;
  }
}

const noCookie =
  "no cookie came back: this browser takes none from here, or a proxy in front of the server changes the Host header, which has to be the " +
  "address above with its port (nginx: proxy_set_header Host $http_host).";

/**
 * Registers an account.
 * @param {Record<string, unknown>} request @param {string} invitation empty where none is needed
 * @returns {Promise<{ userName: string, trouble?: string }>} trouble: why the user is not signed in, who wanted to be @throws {ApiError}
 */
export async function register(request, invitation) {
  const { userId, userName } = await ask(
    "Registration",
    request,
    undefined,
    invitation === "" ? {} : { "x-invitation": invitation },
  );
  if (request.autoLogin !== true || !appState.canSignIn) return { userName };
  if (!(await hasSession())) return { userName, trouble: `You are not signed in, since ${noCookie}` };
  setUser({ userId, userName, displayName: `${request.displayName ?? userName}` });
  tabs?.postMessage("changed");
  return { userName };
}

/** Signs out and removes all drafts: another person may use this browser next. @throws {ApiError} */
export async function signOut() {
  await sendDeletions();
  await ask("Authenticate", { provider: "logout" });
  endSession();
}

/** Forgets the user, after the session ended on the server. */
export function endSession() {
  setUser(undefined);
  removeDrafts();
  changeState({ wasSignedOut: false });
  tabs?.postMessage("changed");
}

/**
 * Runs a write for which the user repeats the password.
 * @param {string} operation @param {Record<string, string>} fields @param {string} field the field of the password
 * @throws {ApiError}
 */
export async function writeWithPassword(operation, fields, field) {
  try {
    await write(operation, fields);
  } catch (error) {
    if (error.status !== 401) throw error;
    // The session may have ended, or the password is wrong.
    await checkSession();
    if (appState.me === undefined) throw error;
    const message = "That is not your password.";
    throw new ApiError(401, { message, errors: [{ fieldName: field, errorCode: "", message }] });
  }
}

/** @param {import("./app-state.js").Me | undefined} me */
function setUser(me) {
  changes++;
  const changed = me?.userId !== appState.me?.userId;
  store(meKey, me && JSON.stringify(me));
  changeState({ me, ...(me === undefined ? {} : { wasSignedOut: false }) });
  if (changed) refresh();
}

/** @returns {import("./app-state.js").Me | undefined} */
function storedUser() {
  try {
    const { userId, userName, displayName } = JSON.parse(readStored(meKey) ?? "{}");
    return userId && userName
      ? { userId: `${userId}`, userName: `${userName}`, displayName: `${displayName}` }
      : undefined;
  } catch {
    return undefined;
  }
}
