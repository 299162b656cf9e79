import { domainToASCII } from "node:url";
import {
  type CharacterClass,
  type CodePoints,
  eitherOf,
  endOfRun,
  isAccentedLatin,
  isAsciiLetterOrDigit,
  noneOf,
  oneOf,
  startsWith,
  textBetween,
} from "./characters.ts";
import type { FoundUrl } from "./found-entities.ts";
import { topLevelDomains } from "./top-level-domains.ts";

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

/**
 * The end of the longest host at start: labels of the given letters, joined by dots, and a top-level domain. Hyphens and
 * underscores are inside labels only, underscores not in the last one before the top-level domain. Undefined when there is
 * none.
 */
function endOfHost(points: CodePoints, start: number, isLetter: CharacterClass): number | undefined {
  const isLabelCharacter = eitherOf(isLetter, isJoiner);
  let end: number | undefined;
  for (let label = start; ; ) {
    const dot = endOfRun(points, label, isLabelCharacter);
    if (points[dot] !== "." || !isLetter(points[label]) || !isLetter(points[dot - 1])) return end;
    if (!points.slice(label, dot).includes("_")) end = endOfTopLevelDomain(points, dot + 1) ?? end;
    label = dot + 1;
  }
}

/** Whether each label of the host has an ASCII form that the domain name system can hold (RFC 1035 and RFC 5891). */
function isResolvable(host: string): boolean {
  return host.split(".").every(isResolvableLabel);
}

const longestLabel = 63;
const isJoiner = oneOf(/[_-]/u);

function isResolvableLabel(label: string): boolean {
  // The work to encode a label grows with the square of its length, so one that is far too long is not encoded.
  if (label.length > 2 * longestLabel) return false;
  const ascii = /^\p{ASCII}*$/u.test(label) ? label : domainToASCII(label);
  return ascii.length >= 1 && ascii.length <= longestLabel;
}

/**
 * The end of the path at start, or start when there is no "/". Punctuation at the end belongs to the sentence. So do parentheses,
 * unless they are balanced: "/wiki/Primer_(film)" is a path. They may be nested once and hold no blanks.
 */
function endOfPath(points: CodePoints, start: number): number {
  if (points[start] !== "/") return start;
  let end = start + 1;
  for (let next = end; ; ) {
    const afterGroup = endOfGroup(points, next);
    if (afterGroup !== undefined) {
      // After punctuation a group at the end belongs to the sentence: "/a,(b)" is "/a", but "/a,(b)c" is whole.
      if (next === end) end = afterGroup;
      next = afterGroup;
    } else if (isPathCharacter(points[next])) {
      next++;
      if (isPathEnding(points[next - 1])) end = next;
    } else {
      return end;
    }
  }
}

/** The end of the query at start, or start when there is no "?" followed by more than punctuation. */
function endOfQuery(points: CodePoints, start: number): number {
  if (points[start] !== "?") return start;
  let end = endOfRun(points, start + 1, isQueryCharacter);
  while (end > start + 1 && !isQueryEnding(points[end - 1])) end--;
  return end > start + 1 ? end : start;
}

// "(a)" or "(a(b)c)", where a or c may be empty in the second form.
function endOfGroup(points: CodePoints, start: number): number | undefined {
  if (points[start] !== "(") return undefined;
  const first = endOfRun(points, start + 1, isPathCharacter);
  if (points[first] === ")") return first > start + 1 ? first + 1 : undefined;
  if (points[first] !== "(") return undefined;
  const inner = endOfRun(points, first + 1, isPathCharacter);
  if (points[inner] !== ")" || inner === first + 1) return undefined;
  const last = endOfRun(points, inner + 1, isPathCharacter);
  return points[last] === ")" ? last + 1 : undefined;
}

const isCyrillic = oneOf(/[\u0400-\u04ff]/u);
const isPathCharacter = eitherOf(oneOf(/[A-Za-z0-9!*';:=+,.$/%#[\]\-–_~@|&]/u), isAccentedLatin, isCyrillic);
const isPathEnding = eitherOf(oneOf(/[A-Za-z0-9=_#/+-]/u), isAccentedLatin, isCyrillic);
const isQueryCharacter = oneOf(/[A-Za-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]/u);
const isQueryEnding = oneOf(/[A-Za-z0-9\-_&=#/]/u);

/**
 * The end of the top-level domain at start, or undefined when there is none: when the word continues ("foo.community" does not
 * end with "com"), or when "@" or "+" follows, as in an e-mail address. Chinese or Japanese may follow without a blank.
 */
function endOfTopLevelDomain(points: CodePoints, start: number): number | undefined {
  const end = endOfAscii(points, start) ?? endOfInternational(points, start);
  return end === undefined || goesOn(points[end]) ? undefined : end;
}

function endOfAscii(points: CodePoints, start: number): number | undefined {
  if (startsWith(points, start, "xn--")) return endOfPunycode(points, start + "xn--".length);
  const end = endOfRun(points, start, isAsciiLetterOrDigit);
  return ascii.has(textBetween(points, start, end).toLowerCase()) ? end : undefined;
}

function endOfPunycode(points: CodePoints, start: number): number | undefined {
  const end = endOfRun(points, start, isPunycodeCharacter);
  return end === start ? undefined : end;
}

function endOfInternational(points: CodePoints, start: number): number | undefined {
  for (const domain of internationalFrom.get(points[start]?.toLowerCase() ?? "") ?? []) {
    const end = start + [...domain].length;
    if (textBetween(points, start, end).toLowerCase() === domain) return end;
  }
  return undefined;
}

const isPunycodeCharacter = oneOf(/[A-Za-z0-9-]/u);
const goesOn = oneOf(/[A-Za-z0-9@+-]/u);
const ascii = new Set([...topLevelDomains.country, ...topLevelDomains.generic]);

// By first letter, the longest first, since one may be the beginning of another.
const internationalFrom = new Map<string, string[]>();
for (const domain of topLevelDomains.international.toSorted((a, b) => b.length - a.length)) {
  const first = domain.charAt(0);
  internationalFrom.set(first, [...(internationalFrom.get(first) ?? []), domain]);
}
