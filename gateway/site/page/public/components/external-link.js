import { html } from "../lib/html.js";
import { webAddress } from "../rules/web-address.js";

/** A link to another site; the bare text where the address is not http or https. @param {{ address: string, text: string }} props */
export function ExternalLink({ address, text }) {
  const href = webAddress(address);
  if (href === undefined) return text;
  return html`<a href=${href} data-outside rel="noopener noreferrer nofollow ugc" dir="auto">${text}</a>`;
}
