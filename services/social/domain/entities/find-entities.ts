import {
  type CodePoints,
  endOfRun,
  isAccentedLatin,
  isAtSign,
  isHashSign,
  oneOf,
  startsWith,
  textBetween,
} from "./characters.ts";
import { findUrls } from "./find-urls.ts";
import type { FoundEntities, FoundHashtag, FoundMention, Span } from "./found-entities.ts";

/**
 * Finds the links, mentions and hashtags of a text by the rules of twitter-text 3.1, in time linear in its length. Where two
 * overlap the earlier one counts, so that "#" inside a link is no hashtag.
 *
 * Differences from twitter-text: mentions hold the screen names of Roost (see findMentions), "@user/list" mentions the user,
 * cashtags are no entities, and some texts that only look like links are none (see findUrls).
 */
export function findEntities(text: string): FoundEntities {
  const points = [...text];
  const urls = findUrls(points);
  const mentions = findMentions(points);
  const hashtags = findHashtags(points);
  const chosen = withoutOverlaps([...urls, ...mentions, ...hashtags]);
  return {
    urls: urls.filter((url) => chosen.has(url)),
    mentions: mentions.filter((mention) => chosen.has(mention)),
    hashtags: hashtags.filter((hashtag) => chosen.has(hashtag)),
  };
}

function withoutOverlaps(spans: Span[]): Set<Span> {
  const chosen = new Set<Span>();
  let free = 0;
  // Three ascending lists, which V8's sort (TimSort) only has to merge.
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start < free) continue;
    chosen.add(span);
    free = span.end;
  }
  return chosen;
}

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
