/**
 * A part of a text: an entity with its text, or plain text.
 * @typedef {{ text: string, kind?: "url" | "mention" | "hashtag" | "media", entity?: any }} Part
 */

/**
 * Splits a text at its entities. Positions are half-open and count code points (contract §3). Entities that overlap an earlier
 * one or lie outside the text are ignored, so that bad data loses no text.
 * @param {string} text
 * @param {{ urls?: any[], user_mentions?: any[], hashtags?: any[], media?: any[] }} entities
 * @returns {Part[]}
 */
export function splitText(text, entities) {
  const points = [...text];
  const parts = [];
  let end = 0;
  for (const { kind, entity, range } of marksOf(entities)) {
    const [from, to] = range;
    if (!(from >= end && to > from && to <= points.length)) continue;
    if (from > end) parts.push({ text: points.slice(end, from).join("") });
    parts.push({ text: points.slice(from, to).join(""), kind, entity });
    end = to;
  }
  if (end < points.length) parts.push({ text: points.slice(end).join("") });
  return parts;
}

/** @param {{ urls?: any[], user_mentions?: any[], hashtags?: any[], media?: any[] }} entities */
function marksOf({ urls = [], user_mentions = [], hashtags = [], media = [] }) {
  const marks = [
    ...urls.map((entity) => ({ kind: /** @type {const} */ ("url"), entity, range: entity.indices })),
    ...user_mentions.map((entity) => ({ kind: /** @type {const} */ ("mention"), entity, range: entity.indices })),
    // Misspelled in the contract.
    ...hashtags.map((entity) => ({ kind: /** @type {const} */ ("hashtag"), entity, range: entity.indicies })),
    ...media.map((entity) => ({ kind: /** @type {const} */ ("media"), entity, range: entity.indices })),
  ];
  return marks.filter(({ range }) => Array.isArray(range)).sort((a, b) => a.range[0] - b.range[0]);
}
