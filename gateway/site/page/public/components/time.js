import { html } from "../lib/html.js";
import { parseCreatedAt } from "../rules/created-at.js";

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A time in the browser's time zone: a `created_at`, or ISO 8601. Other text is shown as it is. @param {{ text: string }} props */
export function Time({ text }) {
  const time = parseCreatedAt(text) ?? (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined);
  return time === undefined || Number.isNaN(time.getTime())
    ? html`<span>${text}</span>`
    : html`<time datetime=${time.toISOString()}>${format.format(time)}</time>`;
}
