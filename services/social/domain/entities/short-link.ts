import { endOfRun, isAsciiLetterOrDigit } from "./characters.ts";
import { type CodePoints, startsWith } from "./code-points.ts";
import { endOfQuery } from "./path.ts";

const longestSlug = 40;

/**
 * The end of a link whose host is Twitter's shortener t.co. Its path has letters and digits only, and may be followed by a query;
 * other text attached to it ("http://t.co/abc's") is not part of it. Undefined with more than 40 letters: then it is no link.
 */
export function endOfShortLink(points: CodePoints, host: number, end: number): number | undefined {
  if (!startsWith(points, host, "t.co/")) return end;
  const slug = host + "t.co/".length;
  const afterSlug = endOfRun(points, slug, isAsciiLetterOrDigit);
  if (afterSlug === slug) return end;
  return afterSlug - slug <= longestSlug ? endOfQuery(points, afterSlug) : undefined;
}
