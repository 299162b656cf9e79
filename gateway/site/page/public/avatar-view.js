import { inkOn, profileColour } from "./colour.js";
import { element, pictureAddress } from "./element.js";

/** A user's picture; until it loads, or where it does not, the first letter on the user's colour. Decoration: the name stands beside it. @param {any} user */
export function avatarView(user) {
  const letter = [...(user.name || user.screen_name)][0] ?? "";
  const face = element("span", { class: "avatar", "aria-hidden": "true" }, letter.toUpperCase());
  const colour = profileColour(user.profile_link_color);
  if (colour !== undefined) {
    face.style.backgroundColor = colour;
    face.style.color = inkOn(colour);
  }
  const address = pictureAddress(user.profile_image_url);
  if (address !== undefined) face.append(image(address));
  return face;
}

/** @param {string} address */
function image(address) {
  const made = element("img", { alt: "", loading: "lazy", referrerpolicy: "no-referrer", "data-state": "waiting" });
  made.addEventListener("load", () => (made.dataset.state = "shown"));
  made.addEventListener("error", () => made.remove());
  made.src = address;
  return made;
}
