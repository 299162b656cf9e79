import { known, refresh } from "../known/store.js";
import { html } from "../lib/html.js";
import { signInHref } from "../rules/place.js";
import { sentenceOf } from "../rules/say-error.js";

/** What is shown when a view cannot be made. @param {any} error @param {import("../rules/place.js").Place} place */
export function showFailure(error, place) {
  const { title, said } = wordsOf(error, place);
  const canTryAgain = error.status === 0 || error.status === 429 || error.status >= 500;
  return {
    title,
    news: "",
    body: html`
      <h1 tabindex="-1">${title}</h1>
      <p class="note" role="alert" dir="auto">${said}</p>
      ${canTryAgain && html`<p class="aside"><button type="button" onClick=${refresh}>Try again</button></p>`}
      ${error.status === 401 && html`<p class="aside"><a href=${signInHref()}>Sign in</a></p>`}
    `,
  };
}

/** @param {any} error @param {import("../rules/place.js").Place} place */
function wordsOf(error, { view, user = "" }) {
  if (error.status === 404 && view === "status")
    return { title: "This status is gone", said: "It was deleted, or never was." };
  if (error.status === 404) {
    const said = "Names match without regard to case, and have no blanks.";
    return { title: `There is no user called ${user}`, said };
  }
  if (error.code === "Suspended")
    return { title: `@${user} is suspended`, said: "The operator of this place has suspended the account." };
  if (error.status === 401)
    return { title: "This is not for everyone", said: "Only approved followers can read it. Sign in if you are one." };
  if (error.status === 403)
    return { title: "This is not for you to read", said: "It is protected, or its author has blocked you." };
  return { title: "That did not work", said: sentenceOf(error, known.isOnline) };
}
