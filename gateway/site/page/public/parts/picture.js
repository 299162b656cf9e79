import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { pictureAddress } from "../rules/addresses.js";
import { OutsideLink } from "./outside-link.js";

/**
 * A picture of a status in a box of its own shape from the start, so that nothing jumps. Where it does not load, the box
 * stays and says so.
 * @param {{ media: any }} props
 */
export function Picture({ media }) {
  const address = pictureAddress(media.media_url_https || media.media_url);
  const [state, setState] = useState(address === undefined ? "missing" : "waiting");
  const { w, h } = sizeOf(media.sizes);
  // The sheet cannot know the shape; the policy lets a script set it.
  const style = { aspectRatio: `${w} / ${h}`, maxWidth: `${Math.min(w, (tallest * w) / h)}px` };
  return html`
    <figure>
      <span class="picture" data-state=${state} style=${style}>
        ${
          state !== "missing" &&
          html`<img
          alt="A picture without a description"
          loading="lazy"
          referrerpolicy="no-referrer"
          src=${address}
          onLoad=${() => setState("shown")}
          onError=${() => setState("missing")}
        />`
        }
        <span class="missing">The picture did not load</span>
      </span>
      <figcaption>
        <${OutsideLink} address=${media.expanded_url} text=${media.display_url || "Picture"} />
      </figcaption>
    </figure>
  `;
}

/** Pixels: a portrait fits on a screen. */
const tallest = 560;

/** @param {Record<string, { w: number, h: number, resize: string }> | undefined} sizes */
function sizeOf(sizes = {}) {
  const whole = Object.values(sizes).filter(({ w, h, resize }) => w > 0 && h > 0 && resize !== "crop");
  const size = whole.sort((a, b) => b.w - a.w)[0] ?? { w: 600, h: 400 };
  // A strip of one pixel would have no room for its own words.
  const ratio = Math.min(Math.max(size.w / size.h, 0.5), 3);
  return { w: Math.max(size.w, 160), h: Math.max(size.w, 160) / ratio };
}
