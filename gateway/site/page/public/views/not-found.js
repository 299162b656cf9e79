import { html } from "../lib/html.js";

/** The view of an unknown address. */
export function showNotFound() {
  const title = "There is nothing here";
  return {
    title,
    announcement: title,
    body: html`
      <h1 tabindex="-1" class="title">${title}</h1>
      <p class="note">The address may be misspelled. <a href="/">Begin at the start</a>.</p>
    `,
  };
}
