/**
 * What the address asks for.
 * @typedef {{ user?: string, find: string[], maxId?: string, sinceId?: string }} Place
 */

/**
 * Reads a query of this page. Ids that are no plain digits count as absent.
 * @param {string} query
 * @returns {Place}
 */
export function readPlace(query) {
  const params = new URLSearchParams(query);
  return {
    user: screenNames(params.get("user") ?? "")[0],
    find: screenNames(params.get("find") ?? ""),
    maxId: id(params.get("maxId")),
    sinceId: id(params.get("sinceId")),
  };
}

/**
 * The address of a user's timeline.
 * @param {string} user
 * @param {{ maxId?: string | number, sinceId?: string | number }} [page]
 */
export function timelineHref(user, page = {}) {
  return `/?${new URLSearchParams({ user, ...Object.fromEntries(Object.entries(page).map(([k, v]) => [k, `${v}`])) })}`;
}

/** The address of a search. @param {string[]} names */
export function findHref(names) {
  return `/?${new URLSearchParams({ find: names.join(",") })}`;
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
