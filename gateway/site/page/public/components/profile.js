import { html } from "../lib/html.js";
import { profileColour } from "../rules/colour.js";
import { count } from "../rules/count.js";
import { parseCreatedAt } from "../rules/dates.js";
import { personHref } from "../rules/route.js";
import { pictureAddress } from "../rules/web-address.js";
import { useAppState } from "../state/app-state.js";
import { Avatar } from "./avatar.js";
import { ExternalLink, UserText } from "./texts.js";

/**
 * The head of a user's page, or its preview.
 * @param {{ user: any, isPreview?: boolean, children?: any }} props children: the actions on the user
 */
export function Profile({ user, isPreview = false, children }) {
  const { canSignIn } = useAppState();
  const name = user.name || user.screen_name;
  return html`
    <section class="profile" aria-label=${isPreview ? "Preview" : "Profile"}>
      <span class="cover" style=${{ ...bandOf(user), ...coverOf(user) }}></span>
      <div class="top"><${Avatar} user=${user} />${children}</div>
      <${isPreview ? "h2" : "h1"} tabindex="-1"><${UserText} tag="span" class="name">${name}<//><//>
      <${Handle} user=${user} />
      ${user.description && html`<${UserText} tag="p" class="description" lang=${user.lang}>${user.description}<//>`}
      <ul class="facts">
        ${factsOf(user).map((fact) => html`<li dir="auto">${fact}</li>`)}
      </ul>
      <ul class="facts">
        ${countsOf(user, canSignIn).map((fact) => html`<li>${fact}</li>`)}
      </ul>
    </section>
  `;
}

/** A user's screen name, and what is known of the user. @param {{ user: any }} props */
export function Handle({ user }) {
  return html`
    <p class="handle">
      <span>@${user.screen_name}</span>${marksOf(user).map(([field, word]) => html`<span class=${`mark ${field}`}>${word}</span>`)}
    </p>
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
  const marks = { verified: "Verified", protected: "Protected" };
  return Object.entries(marks).filter(([field]) => user[field] === true);
}

/** @param {any} user @returns {any[]} */
function factsOf(user) {
  const joined = parseCreatedAt(user.created_at)?.getUTCFullYear();
  return [
    user.location ?? "",
    user.url
      ? html`<${ExternalLink} address=${user.url} text=${user.url.replace(/^https?:\/\//, "").replace(/\/$/, "")} />`
      : "",
    joined === undefined ? "" : `since ${joined}`,
  ].filter((fact) => fact !== "");
}

/** @param {any} user @param {boolean} hasLists whether this gateway serves lists of followers: it does where one can sign in */
function countsOf(user, hasLists) {
  const list = (/** @type {string} */ part, /** @type {any} */ text) =>
    hasLists ? html`<a href=${`${personHref(user.screen_name)}/${part}`}>${text}</a>` : text;
  return [
    list("followers", count(user.followers_count, "follower", "followers")),
    list("following", `${user.friends_count.toLocaleString("en")} following`),
    count(user.statuses_count, "status", "statuses"),
  ];
}
