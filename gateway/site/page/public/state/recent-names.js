import { readStored, store } from "./local-storage.js";

const key = "roost.seen";
const maxNames = 60;

/** Users of the sample data. A lookup leaves out those that do not exist. */
const examples =
  "lighthouse harbour.bakery MissQuill tamsin-bakes TownClock Kittiwick_Library mizuho_utsuwa nour_writes TavernaEleni KittiwickFC dougal_nets HarbourBand MVSanderling oleksa_dev InesMarulho meera.teaches biscuit.the.cat".split(
    " ",
  );

/** The names of users that this browser has shown, the latest first, then those of the sample data; each once. */
export function namesToSuggest() {
  const all = [...recentNames(), ...examples];
  const keys = all.map((name) => name.toLowerCase());
  return all.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

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

/** @returns {string[]} */
function recentNames() {
  try {
    const names = JSON.parse(readStored(key) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string" && /^[\w.-]{1,36}$/.test(name)) : [];
  } catch {
    return [];
  }
}
