import { eitherOf, endOfRun, isAccentedLatin, isAsciiLetterOrDigit, noneOf, oneOf } from "./characters.ts";
import { type CodePoints, startsWith, textBetween } from "./code-points.ts";
import type { FoundUrl } from "./found-entities.ts";
import { endOfHost, isResolvable } from "./host.ts";
import { endOfPath, endOfQuery } from "./path.ts";

/** In code points. The limit of twitter-text. */
const longestUrl = 4096;

/**
 * Finds the links of a text: "http://" or "https://" and a host, or a bare host in Latin letters such as "example.com/path". The
 * host ends with a known top-level domain. A bare one has a port and a query only with a path: "see example.com?Yes" is prose. A
 * text that has the form of a link and is part of something else, such as "ann@example.com", is skipped as a whole.
 *
 * Where the result of twitter-text depends on details of its regular expressions, these rules hold instead: quotes, full-width marks and controls
 * are no part of a host; a bare host is the whole Latin word ("École.com", "my_shop.example.com") or nothing ("-a.com"), even
 * directly after a sentence without blanks; a host that is no valid domain name makes no link.
 */
export function findUrls(points: CodePoints): FoundUrl[] {
  const urls: FoundUrl[] = [];
  for (let at = 0; at < points.length; ) {
    const candidate = candidateWithScheme(points, at) ?? bareCandidate(points, at);
    const end = candidate?.end;
    if (end !== undefined) urls.push({ start: at, end, url: textBetween(points, at, end) });
    at = candidate?.next ?? at + 1;
  }
  return urls;
}

/** A text with the form of a link; it is a link only if it has an `end`. The search continues after it, at `next`. */
interface Candidate {
  end: number | undefined;
  next: number;
}

function candidateWithScheme(points: CodePoints, at: number): Candidate | undefined {
  const host = endOfScheme(points, at);
  const port = host && endOfHost(points, host, isHostLetter);
  if (!host || !port) return undefined;
  const next = endOfQuery(points, endOfPath(points, endOfPort(points, port)));
  const isLink = !barsUrl(points[at - 1]) && next - at <= longestUrl && isResolvable(textBetween(points, host, port));
  return { end: isLink ? endOfShortLink(points, host, next) : undefined, next };
}

function bareCandidate(points: CodePoints, at: number): Candidate | undefined {
  const before = points[at - 1];
  if (isInBareWord(before)) return undefined;
  const host = endOfRun(points, at, isBareSign);
  const port = endOfHost(points, host, isBareHostLetter);
  if (!port) return undefined;
  const path = endOfPort(points, port);
  const next = endOfQuery(points, endOfPath(points, path));
  const end = points[path] === "/" ? next : port;
  const free = host === at && !barsUrl(before) && before !== "/";
  const isLink = free && end - at <= longestUrl && isResolvable(textBetween(points, host, port));
  return { end: isLink ? end : undefined, next };
}

function endOfScheme(points: CodePoints, at: number): number | undefined {
  if (startsWith(points, at, "http://")) return at + "http://".length;
  if (startsWith(points, at, "https://")) return at + "https://".length;
  return undefined;
}

function endOfPort(points: CodePoints, start: number): number {
  const end = points[start] === ":" ? endOfRun(points, start + 1, isDigit) : start;
  return end > start + 1 ? end : start;
}

const barsUrl = oneOf(/[A-Za-z0-9@＠$#＃\ufeff\ufffe\uffff]/u);
const isDigit = oneOf(/[0-9]/u);
// All except ASCII signs, the marks of mentions and hashtags, blanks, controls, marks of direction and noncharacters.
const isHostLetter = noneOf(
  /[!-/:-@[-`{-~＠＃\s\p{Cc}\u061c\u180e\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u,
);
// Latin letters only, so that a link ends where Chinese or Japanese begins.
const isBareHostLetter = eitherOf(isAsciiLetterOrDigit, isAccentedLatin);
const isBareSign = oneOf(/[._-]/u);
const isInBareWord = eitherOf(isBareHostLetter, isBareSign);

/**
 * The end of a link whose host is Twitter's shortener t.co. Its path has letters and digits only, and may be followed by a query;
 * other text attached to it ("http://t.co/abc's") is not part of it. Undefined with more than 40 letters: then it is no link.
 */
function endOfShortLink(points: CodePoints, host: number, end: number): number | undefined {
  if (!startsWith(points, host, "t.co/")) return end;
  const slug = host + "t.co/".length;
  const afterSlug = endOfRun(points, slug, isAsciiLetterOrDigit);
  if (afterSlug === slug) return end;
  return afterSlug - slug <= longestSlug ? endOfQuery(points, afterSlug) : undefined;
}

const longestSlug = 40;
