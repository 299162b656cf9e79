import { Action } from "../components/action.js";
import { People } from "../components/people.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { changeRelation, listUsers } from "../state/relations.js";

/** The follow requests to the signed-in user. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showRequests({ cursor }, signal) {
  const page = await listUsers("FollowRequests", { take: 50, cursor }, signal);
  const title = "Who asks to follow you";
  return {
    title,
    announcement: count(page.people.length, "request", "requests"),
    body: html`
      <h1 tabindex="-1" class="title">${title}</h1>
      <p class="note">While your statuses are protected, only those whom you approve can read them.</p>
      <${People} ...${page} here="/requests" none="No one is waiting for your answer." actions=${answers} />
    `,
  };
}

/** @param {any} user */
function answers({ screen_name: screenName }) {
  const answer = (/** @type {boolean} */ approved) => () => changeRelation("AnswerFollower", { screenName, approved });
  return html`
    <div class="row">
      <${Action} act=${answer(true)} done=${`@${screenName} follows you now.`} label=${`Approve @${screenName}`}>Approve<//>
      <${Action} isQuiet act=${answer(false)} done=${`@${screenName} is turned down.`} label=${`Turn down @${screenName}`}>Turn down<//>
    </div>
  `;
}
