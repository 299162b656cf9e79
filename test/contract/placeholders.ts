/** Values that placeholders stand for, by name. */
export type Scope = ReadonlyMap<string, string>;

/** A piece of a template: text, or a value that only the server knows. */
export type Piece = string | { kind: string; name: string | undefined };

/** Names that captures and columns cannot have, since they mean something already. */
export function isTaken(name: string): boolean {
  return Object.hasOwn(kinds, name) || Object.hasOwn(functions, name) || ["without", "absent"].includes(name);
}

/** What the server may write where only it knows the value, as the source of a regular expression. */
export const kinds: Readonly<Record<string, string>> = {
  id: numeralUpTo(Number.MAX_SAFE_INTEGER),
  session: "[\\w.~+/=-]{20,512}",
  // Inside of a JSON string.
  text: '(?:[^"\\\\\\u0000-\\u001f]|\\\\.)+',
  string: '(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*',
  date: "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-3]\\d [0-2]\\d:[0-5]\\d:[0-6]\\d \\+0000 \\d{4}",
  number: "-?\\d+",
  flag: "(?:true|false)",
  colour: "[0-9A-Fa-f]{6}",
  any: "[^]*?",
};

/** Decimal text from 1 to `most`: shorter, or the same up to a digit that is smaller, or `most` itself. */
function numeralUpTo(most: number): string {
  const digits = [...`${most}`].map(Number);
  const smaller = digits.flatMap((digit, index) => {
    const least = index === 0 ? 1 : 0;
    const rest = digits.length - index - 1;
    return digit > least ? `${digits.slice(0, index).join("")}[${least}-${digit - 1}]\\d{${rest}}` : [];
  });
  return `(?:[1-9]\\d{0,${digits.length - 2}}|${smaller.join("|")}|${most})`;
}

/**
 * Cuts a template at its placeholders and fills in those whose value is known: names of the scope, and the functions
 * `repeat N TEXT`, `names N TEXT`, `numbers N` and `hex BYTES`. Throws Error for a placeholder that means nothing here.
 */
export function piecesOf(template: string, scope: Scope): Piece[] {
  const parts = template.split(/(\{\{repeat \d+ .+?\}\}|\{\{[^{}]*\}\})/);
  return parts.map((part, index) => (index % 2 === 0 ? part : read(part, scope)));
}

function read(placeholder: string, scope: Scope): Piece {
  const [word = "", ...rest] = placeholder.slice(2, -2).trim().split(" ");
  if (Object.hasOwn(functions, word)) return (functions[word] as (words: string[]) => string)(rest);
  const known = scope.get(word);
  if (known !== undefined && rest.length === 0) return known;
  if (word === "without") return { kind: word, name: rest.join(" ") };
  if (!Object.hasOwn(kinds, word)) throw new Error(`nothing is known of ${placeholder}`);
  if (rest.length === 0) return { kind: word, name: undefined };
  if (rest.length === 2 && rest[0] === "as") return { kind: word, name: rest[1] };
  throw new Error(`nothing is known of ${placeholder}`);
}

// repeat may hold braces: {{repeat 3 {},}}.
const functions: Record<string, (words: string[]) => string> = {
  repeat: ([count, ...words]) => words.join(" ").repeat(Number(count)),
  names: ([count, name]) => Array.from({ length: Number(count) }, (_, index) => `${name}${index}`).join(","),
  numbers: ([count]) => Array.from({ length: Number(count) }, (_, index) => index + 1).join(","),
  // Bytes, in the only encoding that has a character for each; fillBytes knows the mark.
  hex: (bytes) => bytes.map((byte) => String.fromCharCode(byteMark + Number.parseInt(byte, 16))).join(""),
};

/** Private characters stand for single bytes until the text is encoded. */
const byteMark = 0xf700;

/** Fills a template of a request, in UTF-8; `hex` puts in bytes as they are. Throws as piecesOf does. */
export function fillBytes(template: string, scope: Scope): Buffer {
  const text = piecesOf(template, scope).map(known).join("");
  return Buffer.concat(
    text.split(/([\uf700-\uf7ff])/).map((part, index) => {
      return index % 2 === 0 ? Buffer.from(part) : Buffer.from([part.charCodeAt(0) - byteMark]);
    }),
  );
}

function known(piece: Piece): string {
  if (typeof piece === "string") return piece;
  throw new Error(`{{${piece.kind}}} is for replies: a request has to know its values`);
}
