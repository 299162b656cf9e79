import { useEffect, useReducer } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { parseCreatedAt, relativeTime } from "../rules/dates.js";

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
/** Milliseconds until a relative time is written again. */
const drawMs = 30_000;

/** A time in the browser's time zone: a `created_at`, or ISO 8601. Other text is shown as it is. @param {{ text: string }} props */
export function Time({ text }) {
  const time = timeOf(text);
  return time === undefined
    ? html`<span>${text}</span>`
    : html`<time datetime=${time.toISOString()}>${format.format(time)}</time>`;
}

/** How long ago it was; the time itself is its title, and what a screen reader says. @param {{ text: string }} props */
export function Age({ text }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => draw(undefined), drawMs);
    return () => clearInterval(timer);
  }, []);
  const time = timeOf(text);
  if (time === undefined) return html`<span>${text}</span>`;
  const exact = format.format(time);
  return html`<time datetime=${time.toISOString()} title=${exact}
    ><span aria-hidden="true">${relativeTime(time, new Date())}</span><span class="hidden">${exact}</span></time
  >`;
}

/** @param {string} text */
function timeOf(text) {
  const time = parseCreatedAt(text) ?? (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined);
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}
