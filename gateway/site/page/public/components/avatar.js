import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { inkOn, profileColour } from "../rules/colour.js";
import { pictureAddress } from "../rules/web-address.js";

/** A user's picture. Until it loads, or if it does not, the first letter on the user's colour. Hidden from screen readers: the name is beside it. @param {{ user: any }} props */
export function Avatar({ user }) {
  const address = pictureAddress(user.profile_image_url);
  const [state, setState] = useState("waiting");
  useEffect(() => setState("waiting"), [address]);
  const letter = [...(user.name || user.screen_name)][0] ?? "";
  const colour = profileColour(user.profile_link_color);
  const style = colour === undefined ? undefined : { backgroundColor: colour, color: inkOn(colour) };
  const isThere = address !== undefined && state !== "missing";
  return html`
    <span class="avatar" aria-hidden="true" style=${style}>
      ${letter.toUpperCase()}
      ${
        isThere &&
        html`<img
        alt=""
        loading="lazy"
        referrerpolicy="no-referrer"
        data-state=${state}
        src=${address}
        onLoad=${() => setState("shown")}
        onError=${() => setState("missing")}
      />`
      }
    </span>
  `;
}
