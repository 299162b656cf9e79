import { html } from "../lib/html.js";
import { h } from "../lib/preact.js";
import { personHref, searchHref } from "../rules/route.js";
import { splitText } from "../rules/split-text.js";
import { webAddress } from "../rules/web-address.js";

/** The text of a status, with links for its entities. A repost begins with `RT @ann: `, which is said in words. @param {{ status: any, lang?: string }} props */
export function StatusText({ status, lang }) {
  const parts = splitText(status.text, status.entities ?? {});
  const [start, mention, rest, ...more] = parts;
  const isRepost = start?.text === "RT " && mention?.kind === "mention" && rest?.text.startsWith(": ");
  if (!isRepost) return html`<${UserText} tag="p" class="words" lang=${lang}>${parts.map(partOf)}<//>`;
  return html`
    <p class="reply">Reposted from ${partOf(mention)}</p>
    <${UserText} tag="p" class="words" lang=${lang}>${[{ ...rest, text: rest.text.slice(2) }, ...more].map(partOf)}<//>
  `;
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
      return html`<a class="hashtag" href=${searchHref(text)} dir="auto">${text}</a>`;
    case "media":
      // The picture's caption shows this address.
      return "";
    default:
      return text;
  }
}

/** A link to another site; the bare text where the address is not http or https. @param {{ address: string, text: string }} props */
export function ExternalLink({ address, text }) {
  const href = webAddress(address);
  if (href === undefined) return text;
  return html`<a href=${href} data-outside rel="noopener noreferrer nofollow ugc" dir="auto">${text}</a>`;
}

/** Text of a user, with its own direction and, where it is a valid tag, its language. @param {{ tag: string, class: string, lang?: string, children?: any }} props */
export function UserText({ tag, class: name, lang, children }) {
  const valid = lang !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(lang) ? lang : undefined;
  return h(tag, { class: name, dir: "auto", lang: valid }, children);
}
