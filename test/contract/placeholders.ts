export type Scope = ReadonlyMap<string, string>;

/** A part of a template: text, or a value that only the server knows. */
export type Piece = string | { kind: string; name: string | undefined };

/** Whether a name is reserved, so that captures and columns cannot have it. */
export function isTaken(name: string): boolean {
  return Object.hasOwn(kinds, name) || Object.hasOwn(functions, name) || ["without", "absent"].includes(name);
}

/** The values that only the server knows, as sources of regular expressions. */
export const kinds: Readonly<Record<string, string>> = {
  id: decimalUpTo(Number.MAX_SAFE_INTEGER),
  session: "[\\w.~+/=-]{20,512}",
  // Inside a JSON string.
  text: '(?:[^"\\\\\\u0000-\\u001f]|\\\\.)+',
  string: '(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*',
  date: "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-3]\\d [0-2]\\d:[0-5]\\d:[0-6]\\d \\+0000 \\d{4}",
  number: "-?\\d+",
  flag: "(?:true|false)",
  colour: "[0-9A-Fa-f]{6}",
  any: "[^]*?",
};

/** Matches decimal text from 1 to `max`: fewer digits, or equal up to a smaller digit, or `max` itself. */
function decimalUpTo(max: number): string {
  const digits = [...`${max}`].map(Number);
  const smaller = digits.flatMap((digit, index) => {
    const min = index === 0 ? 1 : 0;
    const rest = digits.length - index - 1;
    return digit > min ? `${digits.slice(0, index).join("")}[${min}-${digit - 1}]\\d{${rest}}` : [];
  });
  return `(?:[1-9]\\d{0,${digits.length - 2}}|${smaller.join("|")}|${max})`;
}

/**
 * Splits a template at its placeholders and fills in those with a known value: names of the scope, and the functions `repeat N TEXT`,
 * `names N TEXT`, `numbers N` and `hex BYTES`. Throws Error for an unknown placeholder.
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
  if (word === "without") return { kind: word, name: rest.map((name) => scope.get(name) ?? name).join(" ") };
  if (!Object.hasOwn(kinds, word)) throw new Error(`unknown placeholder ${placeholder}`);
  if (rest.length === 0) return { kind: word, name: undefined };
  if (rest.length === 2 && rest[0] === "as") return { kind: word, name: rest[1] };
  throw new Error(`unknown placeholder ${placeholder}`);
}

// The text of repeat may have braces: {{repeat 3 {},}}.
const functions: Record<string, (words: string[]) => string> = {
  repeat: ([count, ...words]) => words.join(" ").repeat(Number(count)),
  names: ([count, name]) => Array.from({ length: Number(count) }, (_, index) => `${name}${index}`).join(","),
  numbers: ([count]) => Array.from({ length: Number(count) }, (_, index) => index + 1).join(","),
  // One private character for each byte, which fillBytes replaces.
  hex: (bytes) => bytes.map((byte) => String.fromCharCode(byteMark + Number.parseInt(byte, 16))).join(""),
};

/** Private characters stand for single bytes until the text is encoded. */
const byteMark = 0xf700;

/** Fills in a template of a request, in UTF-8; `hex` gives single bytes. Throws like piecesOf. */
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
  throw new Error(`{{${piece.kind}}} is only for replies: a request needs known values`);
}
