import { html } from "../lib/html.js";
import { webAddress } from "../rules/addresses.js";

/** A link to somewhere else, or its bare text where the address is not http or https. @param {{ address: string, text: string }} props */
export function OutsideLink({ address, text }) {
  const href = webAddress(address);
  if (href === undefined) return text;
  return html`<a href=${href} data-outside rel="noopener noreferrer nofollow ugc" dir="auto">${text}</a>`;
}
