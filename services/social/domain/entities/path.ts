import { eitherOf, endOfRun, isAccentedLatin, oneOf } from "./characters.ts";
import type { CodePoints } from "./code-points.ts";

/**
 * The end of the path at start, or start when there is no "/". Punctuation at the end belongs to the sentence. So do parentheses,
 * unless they are balanced: "/wiki/Primer_(film)" is a path. They may be nested once and hold no blanks.
 */
export function endOfPath(points: CodePoints, start: number): number {
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
export function endOfQuery(points: CodePoints, start: number): number {
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
