// The words by which statuses and users are found: docs/decisions/searches.md. A change of what this file gives needs the next
// number in services/platform/rules/search-rules.ts.

/**
 * The words of a text, each once, at most 4,000. In a script without spaces these are all single characters and all pairs of
 * neighbours, so that a query finds them wherever they stand. A longer word than 64 characters counts by its first 64.
 */
export function searchWords(text: string): string[] {
  const words = new Set<string>();
  for (const part of textParts(foldText(text))) {
    if (!isUnspaced(part)) words.add(firstOf(part, maxLength));
    else for (const word of [...part, ...pairsOf(part)]) words.add(word);
    if (words.size >= maxWords) break;
  }
  return [...words].slice(0, maxWords);
}

/** More than a status published here can have; an imported one may be longer. */
const maxWords = 4_000;

/** The words that a text needs to have to hold these parts of a query; for pairs, it may hold them at different places. */
export function neededWords(parts: readonly string[]): string[] {
  const words = parts.flatMap((part) => {
    if (!isUnspaced(part)) return [firstOf(part, maxLength)];
    const pairs = pairsOf(part);
    return pairs.length > 0 ? pairs : [part];
  });
  return [...new Set(words)];
}

/** Code points of a word. Postgres has no index for texts of some thousand bytes. */
const maxLength = 64;

/** A text as it is compared: without the differences of case, width, accents and invisible characters. */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(invisible, "")
    .replace(accented, "$1")
    .replace(variants, (letter) => plain[letter] as string)
    .normalize("NFC")
    .replace(schemes, " ");
}

/** Such as U+200C, which Persian has within words, soft hyphens, and the selectors of a glyph. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;

// In these scripts marks are accents, or vowels that are mostly not written. In others, such as those of India, a word without its
// marks is another word.
const accented =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{N}])\p{M}+/gu;

/** Letters that Unicode does not take apart, and how people type them as well. */
const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŧ: "t",
  ς: "σ",
  // The forms of Persian and Arabic keyboards, and the stroke that only lengthens a word.
  ى: "ي",
  ی: "ي",
  ک: "ك",
  "\u0640": "",
};
const variants = new RegExp(`[${Object.keys(plain).join("")}]`, "gu");

/** The `https` of a link is no word that anybody wrote. */
const schemes = /https?:\/\//g;

/**
 * The parts of a folded text, in order: everything that is no letter, mark or number separates, and so does the border of a script
 * without spaces.
 */
export function textParts(folded: string): string[] {
  return (folded.match(runs) ?? []).flatMap((run) => run.match(parts) ?? []);
}

const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

// Korean has spaces, but writes particles without one after their word. U+30FC lengthens a vowel of Katakana or Hiragana.
const scripts = ["Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = `${scripts.map((script) => `\\p{Script=${script}}`).join("")}\u30fc`;
const parts = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*|[^${unspaced}]+`, "gu");
const beginsUnspaced = new RegExp(`^[${unspaced}]`, "u");

/** Whether a part is written in a script without spaces. */
export function isUnspaced(part: string): boolean {
  return beginsUnspaced.test(part);
}

function pairsOf(part: string): string[] {
  const points = [...part];
  return points.slice(1).map((point, index) => `${points[index]}${point}`);
}

/** The first code points of a text. */
export function firstOf(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join("");
}
