import { html } from "../lib/html.js";
import { unescaperOf } from "../rules/plain-text.js";
import { personHref } from "../rules/route.js";
import { splitText } from "../rules/split-text.js";
import { ExternalLink } from "./external-link.js";
import { UserText } from "./user-text.js";

/** The text of a status, with links for its entities. @param {{ status: any, lang?: string }} props */
export function StatusText({ status, lang }) {
  const plain = unescaperOf(status.text);
  const parts = splitText(status.text, status.entities ?? {});
  return html`<${UserText} tag="p" class="words" lang=${lang}>${parts.map((part) => partOf(part, plain))}<//>`;
}

/** @param {import("../rules/split-text.js").Part} part @param {(text: string) => string} plain */
function partOf({ text, kind, entity }, plain) {
  switch (kind) {
    case "url":
      return html`<${ExternalLink} address=${entity.expanded_url || entity.url} text=${entity.display_url || plain(text)} />`;
    case "mention":
      return html`<a href=${personHref(entity.screen_name)} dir="auto">${plain(text)}</a>`;
    case "hashtag":
      return html`<span class="hashtag" dir="auto">${plain(text)}</span>`;
    case "media":
      // The picture's caption shows this address.
      return "";
    default:
      return plain(text);
  }
}
