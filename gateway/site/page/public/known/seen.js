const key = "roost.seen";
/** How many names are kept. */
const most = 60;

/** The sample data's people. Where they are not there, a lookup leaves them out. */
const examples =
  "lighthouse harbour.bakery MissQuill tamsin-bakes TownClock Kittiwick_Library mizuho_utsuwa nour_writes TavernaEleni KittiwickFC dougal_nets HarbourBand MVSanderling oleksa_dev InesMarulho meera.teaches biscuit.the.cat".split(
    " ",
  );

/** Names that this browser has met, the latest first, then some to begin with; each once. */
export function namesToShow() {
  const all = [...seenNames(), ...examples];
  const keys = all.map((name) => name.toLowerCase());
  return all.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}

/** Remembers users that were shown. @param {{ screen_name: string }[]} users */
export function seeUsers(users) {
  const names = users.map(({ screen_name: name }) => name);
  const found = new Set(names.map((name) => name.toLowerCase()));
  const rest = seenNames().filter((name) => !found.has(name.toLowerCase()));
  keep(key, JSON.stringify([...names, ...rest].slice(0, most)));
}

/** @returns {string[]} */
function seenNames() {
  try {
    const names = JSON.parse(kept(key) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string" && /^[\w.-]{1,36}$/.test(name)) : [];
  } catch {
    return [];
  }
}

/** Where the browser keeps who is signed in. */
export const meKey = "roost.me";

/** What the browser keeps under a key; undefined where it keeps nothing. @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or forgets it. Browsers may refuse; then it lasts as long as the page. @param {string} name @param {string | undefined} text */
export function keep(name, text) {
  try {
    if (text === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Private windows and full disks: nothing depends on it.
  }
}
