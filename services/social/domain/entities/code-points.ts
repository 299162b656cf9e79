/** A text as the list of its Unicode code points. A place in it is an index into the list, or the length for its end. */
export type CodePoints = readonly string[];

/** The text of the half-open range [start, end). */
export function textBetween(points: CodePoints, start: number, end: number): string {
  return points.slice(start, end).join("");
}

/** Whether the text continues at start with these signs and lower-case ASCII letters; the text may be in any case. */
export function startsWith(points: CodePoints, start: number, signs: string): boolean {
  for (let at = 0; at < signs.length; at++) {
    if (points[start + at]?.toLowerCase() !== signs[at]) return false;
  }
  return true;
}
