import { html } from "../lib/html.js";

/** Lines on a grid of 24. @type {Record<string, string>} */
const paths = {
  home: "M4 11 12 4l8 7v9h-5.5v-6h-5v6H4z",
  mentions: "M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zm0-3.5V13a2.5 2.5 0 0 0 5 0v-1a8.5 8.5 0 1 0-3.5 6.9",
  write: "M4 20l1-4.5L16.5 4a1.4 1.4 0 0 1 2 0L20 5.5a1.4 1.4 0 0 1 0 2L8.5 19zM14 6.5 17.5 10",
  search: "M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM15.7 15.7 20.5 20.5",
  reply: "M4 5.5h16v11H11.5L7 20v-3.5H4z",
  repost: "M4.5 12V7.5h11.5M13 4.5l3 3-3 3M19.5 12v4.5H8M11 13.5l-3 3 3 3",
  favourite: "M12 4l2.4 5.1 5.6.7-4.1 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L4 9.8l5.6-.7z",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  person: "M16 8.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4.5 20c.8-4 3.8-5.5 7.5-5.5s6.7 1.5 7.5 5.5",
  requests: "M13 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM3 19.5c.7-3.5 3.2-5 6.5-5s5.8 1.5 6.5 5M18.5 8v6M15.5 11h6",
  settings:
    "M4 7h8M16.5 7H20M4 17h3.5M12 17h8M16.5 7a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0zM12 17a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0z",
  leave: "M10 4.5H5v15h5M9.5 12H20M16.5 8.5 20 12l-3.5 3.5",
  link: "M10 14a3.6 3.6 0 0 0 5 0l3.5-3.5a3.6 3.6 0 0 0-5-5L12.5 6.5M14 10a3.6 3.6 0 0 0-5 0l-3.5 3.5a3.6 3.6 0 0 0 5 5l1-1",
  report: "M5.5 20.5V4.5c4-2 8 2 13 0v9.5c-5 2-9-2-13 0",
  mute: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM16 9.5l5 5M21 9.5l-5 5",
  block: "M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM6.4 6.4l11.2 11.2",
  delete: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 10.5v5.5M14 10.5v5.5",
  picture: "M4 5.5h16v13H4zM4 16l4.5-4.5 4 4 3-3 4.5 4M15.5 9.5h.01",
  close: "M6 6l12 12M18 6 6 18",
};

/** A drawing, hidden from screen readers: its control has a name. @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" data-name=${name} viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${paths[name]} /></svg>`;
}
