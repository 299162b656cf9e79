/**
 * The view that an address names, with its parameters.
 * @typedef {{ view: string, user?: string, id?: string, q: string, maxId?: string, sinceId?: string, cursor: string, shown: number, next?: string }} Route
 */

/** Views with a fixed address. A user's address begins with @, so none of them can be a user. */
const pages =
  "everyone mentions favourites search join sign-in requests settings settings/account settings/blocks settings/mutes".split(
    " ",
  );
/** Statuses of a timeline: more would make the browser slow. */
const maxShown = 1_000;
const aboutUser = ["followers", "following"];

/**
 * Parses an address of this page. Ids that are not digits are ignored.
 * @param {{ pathname: string, search: string }} address
 * @returns {Route}
 */
export function readRoute({ pathname, search }) {
  const params = new URLSearchParams(search);
  const route = {
    q: (params.get("q") ?? "").trim(),
    maxId: id(params.get("maxId")),
    sinceId: id(params.get("sinceId")),
    cursor: params.get("cursor") ?? "",
    shown: Math.min(Number(id(params.get("shown")) ?? 0), maxShown),
    next: ownPath(params.get("next")),
  };
  const [first = "", second, third, ...more] = pathname.split("/").slice(1).map(decoded);
  if (first.startsWith("@") && more.length === 0) return { ...route, ...userRoute(first.slice(1), second, third) };
  const path = [first, second].filter(Boolean).join("/").toLowerCase();
  if (third !== undefined) return { ...route, view: "not-found" };
  if (path !== "") return { ...route, view: pages.includes(path) ? path : "not-found" };
  // Links of the first version of this page: /?user=ann.
  const user = screenNames(params.get("user") ?? "")[0];
  return user === undefined ? { ...route, view: "home" } : { ...route, view: "person", user };
}

/** @param {string} user @param {string | undefined} part @param {string | undefined} number @returns {{ view: string, user?: string, id?: string }} */
function userRoute(user, part, number) {
  if (!part) return { view: user === "" ? "not-found" : "person", user };
  if (number === undefined) return { view: aboutUser.includes(part) ? part : "not-found", user };
  const found = id(number);
  return part === "status" && found !== undefined ? { view: "status", user, id: found } : { view: "not-found" };
}

/** The address of a user, or of a page of their timeline. @param {string} user @param {Record<string, string | number>} [page] */
export function personHref(user, page = {}) {
  const query = new URLSearchParams(Object.entries(page).map(([name, value]) => [name, `${value}`]));
  return `/@${encodeURIComponent(user)}${query.size > 0 ? `?${query}` : ""}`;
}

/** The address of a status. @param {string} user @param {string | number} number */
export function statusHref(user, number) {
  return `${personHref(user)}/status/${number}`;
}

/** The current address with so many statuses of its timeline. @param {number} shown */
export function shownHref(shown) {
  const query = new URLSearchParams(location.search);
  query.set("shown", `${shown}`);
  return `${location.pathname}?${query}`;
}

/** The address of a search. @param {string} q */
export function searchHref(q) {
  return `/search?${new URLSearchParams({ q })}`;
}

/** The address of the sign-in form, which leads back to the current one. */
export function signInHref() {
  const here = `${location.pathname}${location.search}`;
  return here === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next: here })}`;
}

/**
 * The names in a text, separated by commas or blanks, with or without @.
 * @param {string} text
 */
export function screenNames(text) {
  const names = text.split(/[\s,]+/).map((name) => name.replace(/^[@＠]/, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}

/** @param {string | null} text */
function id(text) {
  return text !== null && /^(?:0|[1-9]\d{0,15})$/.test(text) ? text : undefined;
}

/** A path of this host: a sign-in must not lead to another site. @param {string | null} text */
function ownPath(text) {
  return text !== null && /^\/(?![/\\])[^\s\\]*$/.test(text) ? text : undefined;
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
