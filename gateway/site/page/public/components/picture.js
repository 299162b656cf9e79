import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { pictureAddress, webAddress } from "../rules/web-address.js";

/**
 * A picture of a status, which leads to the address that it had in the text. Its box has the final size from the start, so that nothing
 * moves; if the picture does not load, the box says so.
 * @param {{ media: any }} props
 */
export function Picture({ media }) {
  const address = pictureAddress(media.media_url_https || media.media_url);
  const [state, setState] = useState(address === undefined ? "missing" : "waiting");
  const href = webAddress(media.expanded_url);
  const { w, h } = sizeOf(media.sizes);
  // The Content-Security-Policy has no inline styles in markup, but lets a script set them.
  const style = { aspectRatio: `${w} / ${h}`, maxWidth: `${Math.min(w, (maxHeight * w) / h)}px` };
  const link = href === undefined ? {} : { href, "data-outside": true, rel: "noopener noreferrer nofollow ugc" };
  return html`
    <figure>
      <${href === undefined ? "span" : "a"} class="picture" data-state=${state} style=${style} ...${link}>
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
      <//>
    </figure>
  `;
}

/** Pixels, so that a portrait leaves room for what is around it. */
const maxHeight = 400;

/** @param {Record<string, { w: number, h: number, resize: string }> | undefined} sizes */
function sizeOf(sizes = {}) {
  const whole = Object.values(sizes).filter(({ w, h, resize }) => w > 0 && h > 0 && resize !== "crop");
  const size = whole.sort((a, b) => b.w - a.w)[0] ?? { w: 600, h: 400 };
  // Bounded: a box of one pixel would have no room for its text.
  const ratio = Math.min(Math.max(size.w / size.h, 0.5), 3);
  return { w: Math.max(size.w, 160), h: Math.max(size.w, 160) / ratio };
}
