import { html } from "../lib/html.js";
import { personHref } from "../rules/route.js";
import { splitText } from "../rules/split-text.js";
import { ExternalLink } from "./external-link.js";
import { UserText } from "./user-text.js";

/** The text of a status, with links for its entities. @param {{ status: any, lang?: string }} props */
export function StatusText({ status, lang }) {
  const parts = splitText(status.text, status.entities ?? {});
  return html`<${UserText} tag="p" class="words" lang=${lang}>${parts.map(partOf)}<//>`;
}

/** @param {import("../rules/split-text.js").Part} part */
function partOf({ text, kind, entity }) {
  switch (kind) {
    case "url":
      return html`<${ExternalLink} address=${entity.expanded_url || entity.url} text=${entity.display_url || text} />`;
    case "mention":
      // An imported status may mention a user who is unknown here: who has that name here is another one.
      return entity.id ? html`<a href=${personHref(entity.screen_name)} dir="auto">${text}</a>` : text;
    case "hashtag":
      return html`<span class="hashtag" dir="auto">${text}</span>`;
    case "media":
      // The picture's caption shows this address.
      return "";
    default:
      return text;
  }
}
