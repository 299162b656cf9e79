import { html } from "../lib/html.js";
import { pictureAddress } from "../rules/addresses.js";
import { profileColour } from "../rules/colour.js";
import { count } from "../rules/count.js";
import { parseMoment } from "../rules/moment.js";
import { personHref } from "../rules/place.js";
import { Avatar } from "./avatar.js";
import { OutsideLink } from "./outside-link.js";
import { Written } from "./written.js";

/**
 * A user: at the head of a page of theirs, or among others with a link to it.
 * @param {{ user: any, isHead?: boolean, isPreview?: boolean, level?: 2 | 3, children?: any }} props isPreview: looks like a head; level: of the heading, among others
 */
export function Person({ user, isHead = false, isPreview = false, level = 2, children }) {
  const name = user.name || user.screen_name;
  const isLarge = isHead || isPreview;
  return html`
    <section class=${isLarge ? "profile head" : "profile"} style=${paintOf(user)}>
      ${isLarge ? html`<span class="cover" style=${coverOf(user)}></span>` : html`<span class="band"></span>`}
      <${Avatar} user=${user} />
      <div class="who">
        ${
          isHead
            ? html`<h1 tabindex="-1"><${Written} tag="span" class="name">${name}<//></h1>`
            : html`<${`h${level}`}><a href=${personHref(user.screen_name)} class="name" dir="auto">${name}</a><//>`
        }
        <p class="handle">
          <span>@${user.screen_name}</span>${marksOf(user).map(
            ([field, word]) => html`<span class=${`mark ${field}`}>${word}</span>`,
          )}
        </p>
      </div>
      ${user.description && html`<${Written} tag="p" class="description" lang=${user.lang}>${user.description}<//>`}
      <ul class="facts">
        ${factsOf(user).map((fact) => html`<li dir="auto">${fact}</li>`)}
      </ul>
      ${children}
    </section>
  `;
}

const colours = ["profile_link_color", "profile_sidebar_border_color", "profile_background_color"];

/** The user's colours stay where no text lies on them, so none becomes unreadable. @param {any} user */
function paintOf(user) {
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

/** @param {any} user @returns {any[]} */
function factsOf(user) {
  const joined = parseMoment(user.created_at)?.getUTCFullYear();
  const href = personHref(user.screen_name);
  return [
    count(user.statuses_count, "status", "statuses"),
    html`<a href=${`${href}/followers`}>${count(user.followers_count, "follower", "followers")}</a>`,
    html`<a href=${`${href}/following`}>${user.friends_count.toLocaleString("en")} following</a>`,
    user.location ?? "",
    user.url
      ? html`<${OutsideLink} address=${user.url} text=${user.url.replace(/^https?:\/\//, "").replace(/\/$/, "")} />`
      : "",
    joined === undefined ? "" : `since ${joined}`,
  ].filter((fact) => fact !== "");
}
