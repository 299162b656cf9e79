import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { signInHref } from "../rules/route.js";
import { appState, refresh } from "../state/app-state.js";

/** The view of an error. @param {any} error @param {import("../rules/route.js").Route} route */
export function showFailure(error, route) {
  const { title, text } = textsOf(error, route);
  const canTryAgain = error.status === 0 || error.status === 429 || error.status >= 500;
  return {
    title,
    announcement: "",
    canTryAgain,
    body: html`
      <h1 tabindex="-1" class="title">${title}</h1>
      <p class="note" role="alert" dir="auto">${text}</p>
      ${canTryAgain && html`<p class="aside"><button type="button" onClick=${refresh}>Try again</button></p>`}
      ${!canTryAgain && html`<p class="aside"><a href="/">See what people say</a></p>`}
      ${error.status === 401 && appState.canSignIn && html`<p class="aside"><a href=${signInHref()}>Sign in</a></p>`}
    `,
  };
}

/** @param {any} error @param {import("../rules/route.js").Route} route */
function textsOf(error, { view, user = "" }) {
  if (error.status === 404 && view === "status")
    return { title: "This status is gone", text: "It was deleted, or never was." };
  if (error.status === 404) {
    const text = "Names match without regard to case, and have no blanks.";
    return { title: `There is no user called ${user}`, text };
  }
  if (error.code === "Suspended")
    return { title: `@${user} is suspended`, text: "The operator of this place has suspended the account." };
  if (error.status === 401)
    return { title: "This is not for everyone", text: "Only approved followers can read it. Sign in if you are one." };
  if (error.status === 403)
    return { title: "This is not for you to read", text: "It is protected, or its author has blocked you." };
  return { title: "That did not work", text: errorText(error) };
}

/** The view of an unknown address. */
export function showNotFound() {
  const title = "There is nothing here";
  return {
    title,
    announcement: title,
    body: html`
      <h1 tabindex="-1" class="title">${title}</h1>
      <p class="note">The address may be misspelled. <a href="/">Begin at the start</a>.</p>
    `,
  };
}
