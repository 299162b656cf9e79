import { endOfRun, isAccentedLatin, isAtSign, oneOf } from "./characters.ts";
import { type CodePoints, startsWith, textBetween } from "./code-points.ts";
import type { FoundMention } from "./found-entities.ts";

/** The longest name (contract §6). A longer word is no mention: its beginning would name another user. */
const longestName = 36;

/**
 * Finds the users that a text names, as "@ann" or, with the full-width mark, "＠ann".
 *
 * A name is the longest run of the letters of a screen name, so that every user can be named: "@ann.lee-2" is one mention, where
 * twitter-text sees "@ann". Dots and hyphens at the end count as punctuation of the sentence. Parts of e-mail addresses, of
 * "@user@host" and of "@http://…" are no mentions.
 */
export function findMentions(points: CodePoints): FoundMention[] {
  const mentions: FoundMention[] = [];
  for (let at = 0; at < points.length; at++) {
    if (!isAtSign(points[at]) || !mayStart(points, at)) continue;
    const end = endOfName(points, at + 1);
    if (end === undefined) continue;
    mentions.push({ start: at, end, screenName: textBetween(points, at + 1, end) });
  }
  return mentions;
}

function mayStart(points: CodePoints, at: number): boolean {
  return !barsMention(points[at - 1]) || followsRetweetMark(points, at);
}

// Users wrote "RT@user" to repeat a status before there were reposts.
function followsRetweetMark(points: CodePoints, at: number): boolean {
  return startsWith(points, at - 2, "rt") && !barsRetweetMark(points[at - 3]);
}

function endOfName(points: CodePoints, start: number): number | undefined {
  if (!isNameStart(points[start])) return undefined;
  let end = endOfRun(points, start, isNameCharacter);
  while (isSentenceEnd(points[end - 1])) end--;
  return end - start <= longestName && !goesOn(points, end) ? end : undefined;
}

function goesOn(points: CodePoints, end: number): boolean {
  return isAtSign(points[end]) || isAccentedLatin(points[end]) || startsWith(points, end, "://");
}

const barsMention = oneOf(/[A-Za-z0-9_!#$%&*@＠]/u);
const barsRetweetMark = oneOf(/[A-Za-z0-9_+~.-]/u);
const isNameCharacter = oneOf(/[A-Za-z0-9._-]/u);
const isNameStart = oneOf(/[A-Za-z0-9_]/u);
const isSentenceEnd = oneOf(/[.-]/u);
