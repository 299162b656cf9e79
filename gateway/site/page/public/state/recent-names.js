import { readStored, store } from "./local-storage.js";

const key = "roost.seen";
const maxNames = 60;

/** Remembers the names of users that were shown. @param {{ screen_name: string }[]} users */
export function rememberNames(users) {
  const names = users.map(({ screen_name: name }) => name);
  const found = new Set(names.map((name) => name.toLowerCase()));
  const rest = recentNames().filter((name) => !found.has(name.toLowerCase()));
  store(key, JSON.stringify([...names, ...rest].slice(0, maxNames)));
}

/** Forgets them. */
export function forgetNames() {
  store(key, undefined);
}

/** The names of users that this browser has shown, the latest first. @returns {string[]} */
export function recentNames() {
  try {
    const names = JSON.parse(readStored(key) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string" && /^[\w.-]{1,36}$/.test(name)) : [];
  } catch {
    return [];
  }
}
