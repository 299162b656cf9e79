import { endOfRun, isAsciiLetterOrDigit } from "./characters.ts";
import { type CodePoints, startsWith } from "./code-points.ts";
import { endOfQuery } from "./path.ts";

const longestSlug = 40;

/**
 * Where a link that goes on from host to end really ends. A path on Twitter's shortener t.co is letters and digits
 * alone, and a query may follow; what else is attached to it ("http://t.co/abc's") is not part of it. With more than
 * 40 letters it is none: undefined.
 */
export function endOfShortLink(points: CodePoints, host: number, end: number): number | undefined {
  if (!startsWith(points, host, "t.co/")) return end;
  const slug = host + "t.co/".length;
  const afterSlug = endOfRun(points, slug, isAsciiLetterOrDigit);
  if (afterSlug === slug) return end;
  return afterSlug - slug <= longestSlug ? endOfQuery(points, afterSlug) : undefined;
}
