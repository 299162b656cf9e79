import { avatarView } from "./avatar-view.js";
import { profileColour } from "./colour.js";
import { element, heading, outsideLink, written } from "./element.js";
import { parseMoment } from "./moment-view.js";
import { timelineHref } from "./place.js";

/** A user at the head of their timeline. @param {any} user */
export function profileView(user) {
  return profile(user, heading(written("span", "name", undefined, nameOf(user))));
}

/** A user among others, with a link to their timeline. @param {any} user @param {Node} [latest] */
export function personView(user, latest) {
  const link = element("a", { href: timelineHref(user.screen_name), class: "name", dir: "auto" }, nameOf(user));
  return profile(user, element("h2", {}, link), latest);
}

/** @param {any} user @param {Node} title @param {Node} [latest] */
function profile(user, title, latest) {
  const card = element(
    "section",
    { class: "profile" },
    element("span", { class: "band" }),
    avatarView(user),
    element(
      "div",
      { class: "who" },
      title,
      element("p", { class: "handle" }, `@${user.screen_name}`, ...marksOf(user)),
    ),
    user.description ? written("p", "description", user.lang, user.description) : undefined,
    element("ul", { class: "facts" }, ...factsOf(user).map((fact) => element("li", { dir: "auto" }, fact))),
    latest,
  );
  paint(card, user);
  return card;
}

/** The user's colours stay on a thin band: no text lies on them, so none becomes unreadable. @param {HTMLElement} card @param {any} user */
function paint(card, user) {
  const colours = ["profile_link_color", "profile_sidebar_border_color", "profile_background_color"];
  const known = colours.map((name) => profileColour(user[name])).filter((colour) => colour !== undefined);
  if (known.length === colours.length) {
    const stops = known.map((colour, at) => `${colour} ${(at * 100) / 3}% ${((at + 1) * 100) / 3}%`);
    card.style.setProperty("--band", `linear-gradient(to right, ${stops.join(", ")})`);
  }
}

/** @param {any} user */
function marksOf(user) {
  const marks = { verified: "Verified", protected: "Protected", following: "Following" };
  return Object.entries(marks).flatMap(([field, word]) =>
    user[field] === true ? [element("span", { class: `mark ${field}` }, word)] : [],
  );
}

/** @param {any} user @returns {(Node | string)[]} */
function factsOf(user) {
  const joined = parseMoment(user.created_at)?.getUTCFullYear();
  return [
    count(user.statuses_count, "status", "statuses"),
    count(user.followers_count, "follower", "followers"),
    `${user.friends_count.toLocaleString("en")} following`,
    user.location ?? "",
    user.url ? outsideLink(user.url, user.url.replace(/^https?:\/\//, "").replace(/\/$/, "")) : "",
    joined === undefined ? "" : `since ${joined}`,
  ].filter((fact) => fact !== "");
}

/** @param {number} n @param {string} one @param {string} many */
function count(n, one, many) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** @param {any} user */
function nameOf(user) {
  return user.name || user.screen_name;
}
