import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import { foldText, isUnspaced, neededWords, textParts } from "./search-words.ts";

/** What a search for statuses asks for. */
export interface StatusQuery {
  /** The words that a status has to have; none when only an author is asked for. */
  words: readonly string[];
  /** The name key of the author; undefined for any. */
  from: string | undefined;
  /** Whether a text with all these words holds them as the query does: characters of a script without spaces next to each other. */
  isIn(text: string): boolean;
}

/** Reads the `q` of SearchStatuses: words, and `from:name`. Undefined for one that no status fits, such as one without any word. */
export function readStatusQuery(q: string): StatusQuery | undefined {
  const names = new Set<string>();
  const rest = q.normalize("NFKC").replace(fromName, (_, name: string) => {
    names.add(nameKey(name));
    return " ";
  });
  const [from] = names;
  if (names.size > 1 || (from !== undefined && !isScreenName(from))) return undefined;
  const parts = textParts(foldText(rest));
  const sequences = parts.filter((part) => isUnspaced(part) && [...part].length > 2);
  if (parts.length === 0 && from === undefined) return undefined;
  return {
    words: neededWords(parts),
    from,
    isIn(text) {
      if (sequences.length === 0) return true;
      const folded = foldText(text);
      return sequences.every((sequence) => folded.includes(sequence));
    },
  };
}

const fromName = /(?<!\S)from:@?(\S+)/giu;
