/**
 * A text of an imported status as its author wrote it. Twitter escapes `&`, `<` and `>` and nothing else, so a text that
 * holds a bare one was never escaped and stays as it is: who writes `a < b &amp; c` means the letters.
 * @param {string} whole the text that decides
 * @returns {(part: string) => string} what to do with each part of it
 */
export function unescaperOf(whole) {
  const escaped = /&(?:amp|lt|gt);/.test(whole) && !/[<>]|&(?!(?:amp|lt|gt);)/.test(whole);
  return escaped ? (part) => part.replace(/&(amp|lt|gt);/g, (_all, name) => characters[name]) : (part) => part;
}

/** The name in a `source`, which is a link in HTML or plain text. No parser of HTML sees it. @param {string} source */
export function sourceName(source) {
  const text = source.replace(/<[^>]*>/g, "").trim();
  return unescaperOf(text)(text);
}

/** @type {Record<string, string>} */
const characters = { amp: "&", lt: "<", gt: ">" };
