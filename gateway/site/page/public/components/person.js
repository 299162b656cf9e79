import { html } from "../lib/html.js";
import { profileColour } from "../rules/colour.js";
import { count } from "../rules/count.js";
import { parseCreatedAt } from "../rules/created-at.js";
import { personHref } from "../rules/route.js";
import { pictureAddress } from "../rules/web-address.js";
import { useAppState } from "../state/app-state.js";
import { Avatar } from "./avatar.js";
import { ExternalLink } from "./external-link.js";
import { UserText } from "./user-text.js";

/**
 * A user: as the head of their own page, or as an item of a list with a link to that page.
 * @param {{ user: any, isHead?: boolean, isPreview?: boolean, level?: 2 | 3, children?: any }} props isPreview: looks like a head; level: of the heading in a list
 */
export function Person({ user, isHead = false, isPreview = false, level = 2, children }) {
  const { canSignIn } = useAppState();
  const name = user.name || user.screen_name;
  const isLarge = isHead || isPreview;
  return html`
    <section class=${isLarge ? "profile head" : "profile"} style=${bandOf(user)}>
      ${isLarge ? html`<span class="cover" style=${coverOf(user)}></span>` : html`<span class="band"></span>`}
      <${Avatar} user=${user} />
      <div class="who">
        ${
          isHead
            ? html`<h1 tabindex="-1"><${UserText} tag="span" class="name">${name}<//></h1>`
            : html`<${`h${level}`}><a href=${personHref(user.screen_name)} class="name" dir="auto">${name}</a><//>`
        }
        <p class="handle">
          <span>@${user.screen_name}</span>${marksOf(user).map(
            ([field, word]) => html`<span class=${`mark ${field}`}>${word}</span>`,
          )}
        </p>
      </div>
      ${user.description && html`<${UserText} tag="p" class="description" lang=${user.lang}>${user.description}<//>`}
      <ul class="facts">
        ${factsOf(user, canSignIn).map((fact) => html`<li dir="auto">${fact}</li>`)}
      </ul>
      ${children}
    </section>
  `;
}

const colours = ["profile_link_color", "profile_sidebar_border_color", "profile_background_color"];

/** The band of the user's colours. No text lies on it, so none can become unreadable. @param {any} user */
function bandOf(user) {
  const found = colours.map((name) => profileColour(user[name])).filter((colour) => colour !== undefined);
  if (found.length < colours.length) return undefined;
  const stops = found.map((colour, at) => `${colour} ${(at * 100) / 3}% ${((at + 1) * 100) / 3}%`);
  return { "--band": `linear-gradient(to right, ${stops.join(", ")})` };
}

/** @param {any} user */
function coverOf(user) {
  const backgroundColor = profileColour(user.profile_background_color);
  const address = pictureAddress(user.profile_background_image_url);
  const isShown = address !== undefined && user.profile_use_background_image === "true";
  const backgroundImage = isShown ? `url(${JSON.stringify(address)})` : undefined;
  const backgroundRepeat = user.profile_background_tile === "true" ? "repeat" : "no-repeat";
  return backgroundColor || isShown ? { backgroundColor, backgroundImage, backgroundRepeat } : undefined;
}

/** @param {any} user */
function marksOf(user) {
  const marks = { verified: "Verified", protected: "Protected", following: "Following", follow_request_sent: "Asked" };
  return Object.entries(marks).filter(([field]) => user[field] === true);
}

/** @param {any} user @param {boolean} hasLists whether this gateway serves lists of followers: it does where one can sign in @returns {any[]} */
function factsOf(user, hasLists) {
  const joined = parseCreatedAt(user.created_at)?.getUTCFullYear();
  const list = (/** @type {string} */ part, /** @type {string} */ text) =>
    hasLists ? html`<a href=${`${personHref(user.screen_name)}/${part}`}>${text}</a>` : text;
  return [
    count(user.statuses_count, "status", "statuses"),
    list("followers", count(user.followers_count, "follower", "followers")),
    list("following", `${user.friends_count.toLocaleString("en")} following`),
    user.location ?? "",
    user.url
      ? html`<${ExternalLink} address=${user.url} text=${user.url.replace(/^https?:\/\//, "").replace(/\/$/, "")} />`
      : "",
    joined === undefined ? "" : `since ${joined}`,
  ].filter((fact) => fact !== "");
}
