import { ApiError } from "./known/api.js";
import { known } from "./known/store.js";
import { signInHref } from "./rules/place.js";
import { showAbsent } from "./views/absent.js";
import { showAccount } from "./views/account.js";
import { showFailure } from "./views/failure.js";
import { showHidden } from "./views/hidden.js";
import { showHome } from "./views/home.js";
import { showJoin } from "./views/join.js";
import { showPeople } from "./views/people.js";
import { showPerson } from "./views/person.js";
import { showProfileForm } from "./views/profile-form.js";
import { showRelations } from "./views/relations.js";
import { showRequests } from "./views/requests.js";
import { showSignIn } from "./views/sign-in.js";
import { showStatus } from "./views/status.js";

/**
 * What a view shows. `news` is said to those who do not see it; with `href` the view is at another address.
 * @typedef {{ title: string, news: string, body: any, href?: string }} View
 */

/** @type {Record<string, (place: import("./rules/place.js").Place, signal: AbortSignal) => View | Promise<View>>} */
const views = {
  home: showHome,
  people: showPeople,
  person: showPerson,
  status: showStatus,
  followers: showRelations,
  following: showRelations,
  join: showJoin,
  "sign-in": showSignIn,
  requests: showRequests,
  settings: showProfileForm,
  "settings/account": showAccount,
  "settings/blocks": showHidden,
  "settings/mutes": showHidden,
  absent: showAbsent,
};

const ownViews = new Set(["requests", "settings", "settings/account", "settings/blocks", "settings/mutes"]);

/** Makes the view of a place; one that says what is wrong when that fails. @param {import("./rules/place.js").Place} place @param {AbortSignal} signal @returns {Promise<View>} */
export async function loadView(place, signal) {
  if (ownViews.has(place.view) && known.me === undefined) return { title: "", news: "", body: "", href: signInHref() };
  try {
    return await (views[place.view] ?? showAbsent)(place, signal);
  } catch (error) {
    // A view that was left is not looked at any more.
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
    return showFailure(error, place);
  }
}
