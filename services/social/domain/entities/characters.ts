/** Whether a code point belongs to a class; undefined stands for the positions before the first and after the last one. */
export type CharacterClass = (point: string | undefined) => boolean;

/** The class of the code points that the pattern matches. */
export function oneOf(pattern: RegExp): CharacterClass {
  return (point) => point !== undefined && pattern.test(point);
}

/** The class of all code points that the pattern does not match. */
export function noneOf(pattern: RegExp): CharacterClass {
  return (point) => point !== undefined && !pattern.test(point);
}

/** The class of code points that belong to any of these classes. */
export function eitherOf(...classes: CharacterClass[]): CharacterClass {
  return (point) => classes.some((belongs) => belongs(point));
}

/** The first place at or after start whose code point is not of the class. */
export function endOfRun(points: CodePoints, start: number, belongs: CharacterClass): number {
  let end = start;
  while (belongs(points[end])) end++;
  return end;
}

/** The mark of a mention; the second is the full-width form that Japanese keyboards produce. */
export const isAtSign = oneOf(/[@＠]/u);

/** The mark of a hashtag; also with a full-width form. */
export const isHashSign = oneOf(/[#＃]/u);

export const isAsciiLetterOrDigit = oneOf(/[A-Za-z0-9]/u);

/** The accented letters that twitter-text counts as Latin, and combining accents. */
export const isAccentedLatin = oneOf(
  /[\u0300-\u036f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u0268\u026f\u0272\u0289\u028b\u02bb\u1e00-\u1eff]/u,
);

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
