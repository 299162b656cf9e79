import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { inkOn, profileColour } from "../rules/colour.js";
import { pictureAddress } from "../rules/web-address.js";

/** A user's picture. Until it loads, or if it does not, the first letter on the user's colour. Hidden from screen readers: the name is beside it. @param {{ user: any }} props */
export function Avatar({ user }) {
  const address = pictureAddress(user.profile_image_url);
  const letter = [...(user.name || user.screen_name)][0] ?? "";
  const colour = profileColour(user.profile_link_color);
  const style = colour === undefined ? undefined : { backgroundColor: colour, color: inkOn(colour) };
  return html`
    <span class="avatar" aria-hidden="true" style=${style}>
      ${letter.toUpperCase()}
      ${address !== undefined && html`<${Photo} key=${address} address=${address} />`}
    </span>
  `;
}

/** Another address is another element: the state of one never waits for the load of another. @param {{ address: string }} props */
function Photo({ address }) {
  const [state, setState] = useState("waiting");
  if (state === "missing") return undefined;
  return html`<img
    alt=""
    loading="lazy"
    referrerpolicy="no-referrer"
    data-state=${state}
    src=${address}
    onLoad=${() => setState("shown")}
    onError=${() => setState("missing")}
  />`;
}
