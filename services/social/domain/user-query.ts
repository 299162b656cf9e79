import { nameKey } from "../../platform/rules/screen-name.ts";
import { firstOf, foldText, isUnspaced, textParts } from "./search-words.ts";

/** What a search for users asks for. */
export interface UserQuery {
  /** What the name key has to begin with; undefined when none can. */
  nameKey: string | undefined;
  /** One of the prefixes of every name that fits (`namePrefixes`); undefined when only screen names can fit. */
  prefix: string | undefined;
  /** Whether a user fits. */
  fits(user: { screenName: string; name: string }): boolean;
}

/** Reads the `q` of SearchUsers: the beginning of a screen name, or beginnings of words of a name, all of them. */
export function readUserQuery(q: string): UserQuery {
  const folded = foldText(q).trim();
  const written = folded.replace(/^@/, "");
  const key = /^[\w.-]+$/.test(written) ? written : undefined;
  // Whoever types an `@` means a screen name.
  const parts = written === folded ? textParts(folded) : [];
  const [longest] = parts.map((part) => firstOf(part, storedLength(part))).toSorted((a, b) => b.length - a.length);
  return {
    nameKey: key,
    prefix: longest,
    fits({ screenName, name }) {
      if (key !== undefined && nameKey(screenName).startsWith(key)) return true;
      if (parts.length === 0) return false;
      const words = textParts(foldText(name));
      return parts.every((part) =>
        words.some((word) => (isUnspaced(part) ? word.includes(part) : word.startsWith(part))),
      );
    },
  };
}

/**
 * By what a user can be looked up beside the screen name: the beginnings of the words of the name, each once. In a script without
 * spaces a word may begin at each character.
 */
export function namePrefixes(name: string): string[] {
  const prefixes = new Set<string>();
  for (const part of textParts(foldText(name))) {
    const points = [...part];
    const last = isUnspaced(part) ? points.length - 1 : 0;
    for (let start = 0; start <= last; start++) {
      const word = points.slice(start, start + storedLength(part));
      for (let end = 1; end <= word.length; end++) prefixes.add(word.slice(0, end).join(""));
    }
  }
  return [...prefixes];
}

/** How many code points of a word are stored; a longer beginning is compared with the name itself. */
function storedLength(part: string): number {
  return isUnspaced(part) ? 4 : 16;
}
