import { findUrls } from "./entities/find-urls.ts";

/** A part of a text with a weight of its own: a link, an emoji, or one code point. */
interface WeightedPart {
  text: string;
  weight: number;
}

/**
 * The length of a text by the rules of twitter-text 3: a link counts 23, an emoji 2 however many code points it has, a code point
 * of most alphabets 1 and any other 2. Canonically equal texts (NFC) are equally long.
 */
export function weightedLength(text: string): number {
  return isPlain.test(text) ? text.length : weightOf(weightedParts(text));
}

/** ASCII without a dot holds neither a link nor an emoji. */
const isPlain = /^[^.\u0080-\uffff]*$/;

/** The text, or as much of its beginning as fits into `maxWeight` followed by an ellipsis; links and emoji are not cut. */
export function cutToWeight(text: string, maxWeight: number): { text: string; truncated: boolean } {
  const parts = weightedParts(text);
  let weight = weightOf(parts);
  if (weight <= maxWeight) return { text, truncated: false };
  while (weight > maxWeight - ellipsis.weight) weight -= parts.pop()?.weight ?? weight;
  return { text: `${parts.map((part) => part.text).join("")}${ellipsis.text}`, truncated: true };
}

const ellipsis: WeightedPart = { text: "…", weight: 2 };
const linkWeight = 23;

function weightOf(parts: readonly WeightedPart[]): number {
  return parts.reduce((sum, part) => sum + part.weight, 0);
}

function weightedParts(text: string): WeightedPart[] {
  const points = [...text.normalize()];
  const parts: WeightedPart[] = [];
  let at = 0;
  for (const { start, end } of findUrls(points)) {
    parts.push(...partsOfWords(points.slice(at, start).join("")));
    parts.push({ text: points.slice(start, end).join(""), weight: linkWeight });
    at = end;
  }
  return [...parts, ...partsOfWords(points.slice(at).join(""))];
}

function partsOfWords(words: string): WeightedPart[] {
  return Array.from(words.matchAll(part), ([text, emoji]) => ({ text, weight: emoji ? 2 : weightOfPoint(text) }));
}

// A fully-qualified emoji of Unicode, a keycap without its variation selector, or any one code point. Made from a text because
// the compiler's target does not know the flag v.
const part = new RegExp("(\\p{RGI_Emoji}|[0-9#*]\\u20e3)|[^]", "gv");

function weightOfPoint(text: string): number {
  const point = text.codePointAt(0) ?? 0;
  return light.some(([first, last]) => point >= first && point <= last) ? 1 : 2;
}

/** The ranges of code points that count 1 in version 3 of twitter-text's configuration. */
const light: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/** The text of a repost, `RT @name: …`, cut to the limit in weighted characters where it is longer. */
export function repostText(screenName: string, text: string, maxWeight: number): { text: string; truncated: boolean } {
  return cutToWeight(`RT @${screenName}: ${text}`, maxWeight);
}
