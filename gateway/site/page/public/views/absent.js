import { html } from "../lib/html.js";

/** An address that leads nowhere. */
export function showAbsent() {
  const title = "There is nothing here";
  return {
    title,
    news: title,
    body: html`
      <h1 tabindex="-1">${title}</h1>
      <p class="note">The address may be misspelled. <a href="/">Begin at the start</a>.</p>
    `,
  };
}
