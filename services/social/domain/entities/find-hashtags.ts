import { endOfRun, isHashSign, oneOf } from "./characters.ts";
import { type CodePoints, startsWith, textBetween } from "./code-points.ts";
import type { FoundHashtag } from "./found-entities.ts";

/**
 * Finds the hashtags of a text, with "#" or the full-width "＃". A hashtag is the longest run of letters, marks,
 * digits and the joiners of several scripts, with one letter or mark at least: "#16" is none. It begins where a word
 * may start, so that "a#b" and "&#39;" hold none; after an emoji one may start.
 */
export function findHashtags(points: CodePoints): FoundHashtag[] {
  const hashtags: FoundHashtag[] = [];
  for (let at = 0; at < points.length; at++) {
    if (!isHashSign(points[at]) || !mayFollow(points[at - 1])) continue;
    const end = endOfTag(points, at + 1);
    if (end === undefined) continue;
    hashtags.push({ start: at, end, text: textBetween(points, at + 1, end) });
  }
  return hashtags;
}

function mayFollow(before: string | undefined): boolean {
  return isVariationSelector(before) || !(isTagCharacter(before) || before === "&");
}

function endOfTag(points: CodePoints, start: number): number | undefined {
  if (isKeycapMark(points[start])) return undefined;
  const end = endOfRun(points, start, isTagCharacter);
  if (isHashSign(points[end]) || startsWith(points, end, "://")) return undefined;
  return points.slice(start, end).some(isLetter) ? end : undefined;
}

const isLetter = oneOf(/[\p{L}\p{M}]/u);
const isTagCharacter = oneOf(
  /[\p{L}\p{M}\p{Nd}_\u00b7\u05be\u05f3\u05f4\u0f0b\u0f0c\u3003\u301c\u309b\u309c\u30a0\u30fb\ua67e\uff5e\u200c\u200d]/u,
);
// Unicode classes them as marks, but they end an emoji, which is no part of a word.
const isVariationSelector = oneOf(/[\ufe0e\ufe0f]/u);
// After "#" these marks make it a keycap emoji: #️⃣.
const isKeycapMark = oneOf(/[\ufe0f\u20e3]/u);
