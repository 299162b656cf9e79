import { element, outsideLink, pictureAddress } from "./element.js";

/**
 * A picture of a status in a box of its own shape from the start, so that nothing jumps. Where it does not load, the box
 * stays and says so.
 * @param {any} media
 */
export function pictureView(media) {
  const { w, h } = sizeOf(media.sizes);
  const address = pictureAddress(media.media_url_https || media.media_url);
  const box = element("span", { class: "picture", "data-state": "waiting" });
  // The sheet cannot know the shape; the policy lets a script set it.
  box.style.aspectRatio = `${w} / ${h}`;
  box.style.maxWidth = `${Math.min(w, (tallest * w) / h)}px`;
  const said = element("span", { class: "missing" }, "The picture did not load");
  box.append(said);
  if (address === undefined) box.dataset.state = "missing";
  else box.prepend(image(address, box));
  const caption = outsideLink(media.expanded_url, media.display_url || "Picture");
  return element("figure", {}, box, element("figcaption", {}, caption));
}

/** Pixels: a portrait fits on a screen. */
const tallest = 560;

/** @param {string} address @param {HTMLElement} box */
function image(address, box) {
  const made = element("img", {
    alt: "A picture without a description",
    loading: "lazy",
    referrerpolicy: "no-referrer",
  });
  made.addEventListener("load", () => (box.dataset.state = "shown"));
  made.addEventListener("error", () => {
    made.remove();
    box.dataset.state = "missing";
  });
  made.src = address;
  return made;
}

/** @param {Record<string, { w: number, h: number, resize: string }> | undefined} sizes */
function sizeOf(sizes = {}) {
  const whole = Object.values(sizes).filter(({ w, h, resize }) => w > 0 && h > 0 && resize !== "crop");
  const size = whole.sort((a, b) => b.w - a.w)[0] ?? { w: 600, h: 400 };
  // A strip of one pixel would have no room for its own words.
  const ratio = Math.min(Math.max(size.w / size.h, 0.5), 3);
  return { w: Math.max(size.w, 160), h: Math.max(size.w, 160) / ratio };
}
