import { endOfRun, isAsciiLetterOrDigit, oneOf } from "./characters.ts";
import { type CodePoints, startsWith, textBetween } from "./code-points.ts";
import { topLevelDomains } from "./top-level-domains.ts";

/**
 * The end of the top-level domain at start, or undefined when there is none: when the word continues ("foo.community" does not
 * end with "com"), or when "@" or "+" follows, as in an e-mail address. Chinese or Japanese may follow without a blank.
 */
export function endOfTopLevelDomain(points: CodePoints, start: number): number | undefined {
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
