import { changeRelation, listPeople } from "../known/relations.js";
import { html } from "../lib/html.js";
import { Action } from "../parts/action.js";
import { People } from "../parts/people.js";
import { count } from "../rules/count.js";

/** Who asks to follow the reader. @param {import("../rules/place.js").Place} place @param {AbortSignal} signal */
export async function showRequests({ cursor }, signal) {
  const page = await listPeople("FollowRequests", { take: 50, cursor }, signal);
  const title = "Who asks to follow you";
  return {
    title,
    news: count(page.people.length, "request", "requests"),
    body: html`
      <h1 tabindex="-1">${title}</h1>
      <p class="lead">While your statuses are protected, only those whom you approve can read them.</p>
      <${People} ...${page} here="/requests" none="No one is waiting for your answer." actions=${answers} />
    `,
  };
}

/** @param {any} user */
function answers({ screen_name: screenName }) {
  const answer = (/** @type {boolean} */ approved) => () => changeRelation("AnswerFollower", { screenName, approved });
  return html`
    <p class="row">
      <${Action} act=${answer(true)} done=${`@${screenName} follows you now.`} label=${`Approve @${screenName}`}>Approve<//>
      <${Action} isQuiet act=${answer(false)} done=${`@${screenName} is turned down.`} label=${`Turn down @${screenName}`}>Turn down<//>
    </p>
  `;
}
