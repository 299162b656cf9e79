/**
 * What an address asks for. A view is the name of a page; `user`, `id` and the rest say what it is about.
 * @typedef {{ view: string, user?: string, id?: string, find: string[], maxId?: string, sinceId?: string, cursor: string, next?: string }} Place
 */

/** Views with an address of their own. No user is among them: a user's address begins with @. */
const pages = ["join", "sign-in", "requests", "settings", "settings/account", "settings/blocks", "settings/mutes"];
const aboutUser = ["followers", "following"];

/**
 * Reads an address of this page. Ids that are no plain digits count as absent.
 * @param {{ pathname: string, search: string }} address
 * @returns {Place}
 */
export function readPlace({ pathname, search }) {
  const params = new URLSearchParams(search);
  const place = {
    find: screenNames(params.get("find") ?? ""),
    maxId: id(params.get("maxId")),
    sinceId: id(params.get("sinceId")),
    cursor: params.get("cursor") ?? "",
    next: ownPath(params.get("next")),
  };
  const [first = "", second, third, ...more] = pathname.split("/").slice(1).map(decoded);
  if (first.startsWith("@") && more.length === 0) return { ...place, ...userPlace(first.slice(1), second, third) };
  const path = [first, second].filter(Boolean).join("/").toLowerCase();
  if (third !== undefined) return { ...place, view: "absent" };
  if (path !== "") return { ...place, view: pages.includes(path) ? path : "absent" };
  // An address of the first version of this page.
  const user = screenNames(params.get("user") ?? "")[0];
  if (user !== undefined) return { ...place, view: "person", user };
  return { ...place, view: place.find.length > 0 ? "people" : "home" };
}

/** @param {string} user @param {string | undefined} part @param {string | undefined} number @returns {{ view: string, user?: string, id?: string }} */
function userPlace(user, part, number) {
  if (!part) return { view: user === "" ? "absent" : "person", user };
  if (number === undefined) return { view: aboutUser.includes(part) ? part : "absent", user };
  const found = id(number);
  return part === "status" && found !== undefined ? { view: "status", user, id: found } : { view: "absent" };
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

/** The address of a search. @param {string[]} names */
export function findHref(names) {
  return `/?${new URLSearchParams({ find: names.join(",") })}`;
}

/** The address of the sign-in form that leads back to here. */
export function signInHref() {
  const here = `${location.pathname}${location.search}`;
  return here === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next: here })}`;
}

/**
 * The names in what a person typed: with commas or blanks between them, with or without @.
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

/** A path of this host: a foreign page must not be where a sign-in leads to. @param {string | null} text */
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
