/** The name in a `source`, which is plain text or a link in HTML. It is never parsed as HTML. @param {string} source */
export function sourceName(source) {
  const text = source.replace(/<[^>]*>/g, "").trim();
  return text.replace(/&(amp|lt|gt);/g, (_all, name) => characters[name] ?? "");
}

/** @type {Record<string, string>} */
const characters = { amp: "&", lt: "<", gt: ">" };
