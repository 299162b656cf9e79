/** A text without escapes. */
export interface PlainText {
  text: string;
  /** Where a position of the escaped text is in this one; both count code points. */
  at(index: number): number;
}

/**
 * Undoes Twitter's escapes, once. It escapes `&`, `<` and `>` and nothing else, so a text with a bare one of them
 * was never escaped and stays as it is: `a < b &amp; c` means these letters.
 */
export function plainText(escaped: string): PlainText {
  if (!/&(?:amp|lt|gt);/.test(escaped) || /[<>]|&(?!(?:amp|lt|gt);)/.test(escaped)) {
    return { text: escaped, at: (index) => index };
  }
  const positions: number[] = [];
  let [text, length] = ["", 0];
  for (const [piece] of escaped.matchAll(/&(?:amp|lt|gt);|./gsu)) {
    for (const _ of piece) positions.push(length);
    text += characters[piece] ?? piece;
    length++;
  }
  return { text, at: (index) => positions[index] ?? length + index - positions.length };
}

const characters: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
