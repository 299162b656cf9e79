import { html } from "../lib/html.js";
import { parseMoment } from "../rules/moment.js";

const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A `created_at` in the reader's time zone; its own text when it is not readable. @param {{ text: string }} props */
export function Moment({ text }) {
  const moment = parseMoment(text) ?? (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined);
  return moment === undefined || Number.isNaN(moment.getTime())
    ? html`<span>${text}</span>`
    : html`<time datetime=${moment.toISOString()}>${shown.format(moment)}</time>`;
}
