import { signInHref } from "./rules/route.js";
import { ApiError } from "./state/api.js";
import { appState } from "./state/app-state.js";
import { whenChecked } from "./state/session.js";
import { showAccount } from "./views/account.js";
import { showBlocksAndMutes } from "./views/blocks-and-mutes.js";
import { showFailure, showNotFound } from "./views/failure.js";
import { showFavourites, showMentions } from "./views/favourites-and-mentions.js";
import { showHome, showPublic } from "./views/home.js";
import { showJoin } from "./views/join.js";
import { showPerson } from "./views/person.js";
import { showProfileForm } from "./views/profile-form.js";
import { showRelations } from "./views/relations.js";
import { showRequests } from "./views/requests.js";
import { showSearch } from "./views/search.js";
import { showSignIn } from "./views/sign-in.js";
import { showStatus } from "./views/status.js";

/**
 * What a view shows. Screen readers speak `announcement`; `href` redirects to another address; `canTryAgain`: it could not be loaded now.
 * @typedef {{ title: string, announcement: string, body: any, href?: string, canTryAgain?: boolean }} View
 */

/** @type {Record<string, (route: import("./rules/route.js").Route, signal: AbortSignal) => View | Promise<View>>} */
const views = {
  home: showHome,
  everyone: showPublic,
  mentions: showMentions,
  favourites: showFavourites,
  search: showSearch,
  person: showPerson,
  status: showStatus,
  followers: showRelations,
  following: showRelations,
  join: showJoin,
  "sign-in": showSignIn,
  requests: showRequests,
  settings: showProfileForm,
  "settings/account": showAccount,
  "settings/blocks": showBlocksAndMutes,
  "settings/mutes": showBlocksAndMutes,
};

const ownViews = new Set(
  "mentions favourites requests settings settings/account settings/blocks settings/mutes".split(" "),
);

/** Loads the view of a route; the view of the error when that fails. @param {import("./rules/route.js").Route} route @param {AbortSignal} signal @returns {Promise<View>} */
export async function loadView(route, signal) {
  // A browser may have a session without having stored its user.
  if (appState.me === undefined) await whenChecked();
  if (ownViews.has(route.view) && appState.me === undefined) {
    return { title: "", announcement: "", body: "", href: signInHref() };
  }
  try {
    return await (views[route.view] ?? showNotFound)(route, signal);
  } catch (error) {
    // After an abort the view is not shown, whatever failed.
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
    return showFailure(error, route);
  }
}
