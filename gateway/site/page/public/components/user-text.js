import { h } from "../lib/preact.js";

/** Text of a user, with its own direction and, where it is a valid tag, its language. @param {{ tag: string, class: string, lang?: string, children?: any }} props */
export function UserText({ tag, class: name, lang, children }) {
  const valid = lang !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(lang) ? lang : undefined;
  return h(tag, { class: name, dir: "auto", lang: valid }, children);
}
