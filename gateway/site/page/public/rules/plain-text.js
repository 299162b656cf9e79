/**
 * Undoes the escaping of imported statuses. Twitter escapes `&`, `<` and `>` and nothing else, so a text with a bare one of them
 * was never escaped and stays as it is: `a < b &amp; c` means these letters.
 * @param {string} whole the text that tells whether it is escaped
 * @returns {(part: string) => string} unescapes a part of it
 */
export function unescaperOf(whole) {
  const escaped = /&(?:amp|lt|gt);/.test(whole) && !/[<>]|&(?!(?:amp|lt|gt);)/.test(whole);
  return escaped ? (part) => part.replace(/&(amp|lt|gt);/g, (_all, name) => characters[name]) : (part) => part;
}

/** The name in a `source`, which is plain text or a link in HTML. It is never parsed as HTML. @param {string} source */
export function sourceName(source) {
  const text = source.replace(/<[^>]*>/g, "").trim();
  return unescaperOf(text)(text);
}

/** @type {Record<string, string>} */
const characters = { amp: "&", lt: "<", gt: ">" };
