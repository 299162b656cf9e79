import { domainToASCII } from "node:url";
import { type CharacterClass, eitherOf, endOfRun, oneOf } from "./characters.ts";
import type { CodePoints } from "./code-points.ts";
import { endOfTopLevelDomain } from "./top-level-domain.ts";

/**
 * The end of the longest host at start: labels of the given letters, joined by dots, and a top-level domain. Hyphens and
 * underscores are inside labels only, underscores not in the last one before the top-level domain. Undefined when there is
 * none.
 */
export function endOfHost(points: CodePoints, start: number, isLetter: CharacterClass): number | undefined {
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
export function isResolvable(host: string): boolean {
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
