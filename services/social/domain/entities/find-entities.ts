import { findHashtags } from "./find-hashtags.ts";
import { findMentions } from "./find-mentions.ts";
import { findUrls } from "./find-urls.ts";
import type { FoundEntities, Span } from "./found-entities.ts";

/**
 * Finds the links, mentions and hashtags of a text by the rules of twitter-text 3.1, in time linear in its length. Where two
 * overlap the earlier one counts, so that "#" inside a link is no hashtag.
 *
 * Differences from twitter-text: mentions hold the screen names of Roost (see findMentions), "@user/list" mentions the user,
 * cashtags are no entities, and some texts that only look like links are none (see findUrls).
 */
export function findEntities(text: string): FoundEntities {
  const has = { url: text.includes("."), mention: /[@＠]/.test(text), hashtag: /[#＃]/.test(text) };
  // Most texts lack the marks of some kinds, and looking at each code point takes long.
  const points = has.url || has.mention || has.hashtag ? [...text] : [];
  const urls = has.url ? findUrls(points) : [];
  const mentions = has.mention ? findMentions(points) : [];
  const hashtags = has.hashtag ? findHashtags(points) : [];
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
