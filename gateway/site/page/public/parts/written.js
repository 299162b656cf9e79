import { h } from "../lib/preact.js";

/** Text that a user wrote, in its own direction, and in the language that the data names. @param {{ tag: string, class: string, lang?: string, children?: any }} props */
export function Written({ tag, class: name, lang, children }) {
  const known = lang !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(lang) ? lang : undefined;
  return h(tag, { class: name, dir: "auto", lang: known }, children);
}
