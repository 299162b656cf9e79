import { html } from "../lib/html.js";
import { personHref } from "../rules/place.js";
import { unescaperOf } from "../rules/plain-text.js";
import { splitText } from "../rules/split-text.js";
import { OutsideLink } from "./outside-link.js";
import { Written } from "./written.js";

/** What a status says, with its entities. @param {{ status: any, lang?: string }} props */
export function Words({ status, lang }) {
  const plain = unescaperOf(status.text);
  const parts = splitText(status.text, status.entities ?? {});
  return html`<${Written} tag="p" class="words" lang=${lang}>${parts.map((part) => wordsOf(part, plain))}<//>`;
}

/** @param {import("../rules/split-text.js").Part} part @param {(text: string) => string} plain */
function wordsOf({ text, kind, entity }, plain) {
  switch (kind) {
    case "url":
      return html`<${OutsideLink} address=${entity.expanded_url || entity.url} text=${entity.display_url || plain(text)} />`;
    case "mention":
      return html`<a href=${personHref(entity.screen_name)} dir="auto">${plain(text)}</a>`;
    case "hashtag":
      return html`<span class="hashtag" dir="auto">${plain(text)}</span>`;
    case "media":
      // The picture below has this address as its caption.
      return "";
    default:
      return plain(text);
  }
}
