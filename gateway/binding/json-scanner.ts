/**
 * Scans JSON text (RFC 8259) without building values: JSON.parse takes 60 to 190 ms for a megabyte of keys, of
 * nested lists or of small objects, which no request needs. Refuses what JSON.parse refuses.
 */

/** Where the blanks at a place end. */
export function afterBlanks(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    // Also at the end of the text, where the code is NaN.
    if (!(code <= space)) return at;
    if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return at;
    at++;
  }
}

/** Where the value at a place ends. @throws SyntaxError */
export function afterValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === quote) return afterString(text, at);
  return code === openBrace || code === openBracket ? afterContainer(text, at, 0) : afterWord(text, at, code);
}

/** The end of a list, from the place where one of its elements begins. @throws SyntaxError */
export function afterElements(text: string, at: number): number {
  return afterContainer(text, at, openBracket);
}

/**
 * Where a container ends, without recursion: a megabyte of brackets would be too deep for it.
 * @param container the opening bracket of a container that has a value at `at`; 0: the container itself begins at `at`
 */
function afterContainer(text: string, at: number, container: number): number {
  /** The containers around the current one, the outermost first; grows by doubling. */
  let outer = new Uint8Array(64);
  let depth = container === 0 ? 0 : 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === openBrace || code === openBracket) {
      const first = afterBlanks(text, at + 1);
      if (text.charCodeAt(first) !== code + toClosing) {
        if (depth === outer.length) {
          const larger = new Uint8Array(2 * depth);
          larger.set(outer);
          outer = larger;
        }
        outer[depth++] = container;
        container = code;
        at = code === openBrace ? afterColon(text, afterString(text, first)) : first;
        continue;
      }
      at = first + 1;
    } else {
      at = code === quote ? afterString(text, at) : afterWord(text, at, code);
    }
    // A value has ended, and perhaps containers around it.
    for (;;) {
      if (container === 0) return at;
      at = afterBlanks(text, at);
      const next = text.charCodeAt(at);
      if (next === comma) {
        at = afterBlanks(text, at + 1);
        if (container === openBrace) at = afterColon(text, afterString(text, at));
        break;
      }
      if (next !== container + toClosing) throw broken();
      container = outer[--depth] as number;
      at++;
    }
  }
}

/** Where the string at a place ends, after its quote. @throws SyntaxError */
export function afterString(text: string, at: number): number {
  if (text.charCodeAt(at) !== quote) throw broken();
  /** Where the characters since the last escape begin. */
  let start = at + 1;
  for (at++; ; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) {
      at = afterEscape(text, at + 1) - 1;
      start = at + 1;
    }
    // Also at the end of the text, where the code is NaN.
    else if (!(code >= space)) throw broken();
    else if (at - start === longRun) {
      unescaped.lastIndex = at;
      unescaped.test(text);
      at = unescaped.lastIndex - 1;
    }
  }
}

/** Characters after which a string counts as long: for long strings a regular expression takes a quarter of the time. */
const longRun = 64;
const unescaped = /[^"\\\x00-\x1f]+/y;

/** Where the value of a key begins, from the key's end. @throws SyntaxError */
export function afterColon(text: string, at: number): number {
  const colonAt = afterBlanks(text, at);
  if (text.charCodeAt(colonAt) !== colon) throw broken();
  return afterBlanks(text, colonAt + 1);
}

export function broken(): SyntaxError {
  return new SyntaxError("not JSON");
}

function afterEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === letterU) {
    for (let digit = at + 1; digit <= at + 4; digit++) if (!isHex(text.charCodeAt(digit))) throw broken();
    return at + 5;
  }
  if (!simpleEscapes.has(code)) throw broken();
  return at + 1;
}

function afterWord(text: string, at: number, code: number): number {
  if (code === minus || isDigit(code)) return afterNumber(text, at);
  const word = code === letterT ? "true" : code === letterF ? "false" : "null";
  for (let index = 0; index < word.length; index++) {
    if (text.charCodeAt(at + index) !== word.charCodeAt(index)) throw broken();
  }
  return at + word.length;
}

function afterNumber(text: string, at: number): number {
  if (text.charCodeAt(at) === minus) at++;
  at = text.charCodeAt(at) === zero ? at + 1 : afterDigits(text, at);
  if (text.charCodeAt(at) === dot) at = afterDigits(text, at + 1);
  if ((text.charCodeAt(at) | 0x20) !== letterE) return at;
  const sign = text.charCodeAt(at + 1);
  return afterDigits(text, sign === minus || sign === plus ? at + 2 : at + 1);
}

function afterDigits(text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at))) throw broken();
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9;
}

function isHex(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

const codes = (characters: string) => [...characters].map((character) => character.charCodeAt(0));
const [tab, lineFeed, carriageReturn, space] = codes("\t\n\r ") as [number, number, number, number];
const [quote, backslash, comma, colon] = codes('"\\,:') as [number, number, number, number];
const [openBrace, openBracket] = codes("{[") as [number, number];
const [minus, plus, dot, zero] = codes("-+.0") as [number, number, number, number];
const [letterE, letterF, letterT, letterU] = codes("eftu") as [number, number, number, number];
/** The code of a closing bracket is two more than that of its opening one. */
const toClosing = 2;
const simpleEscapes = new Set(codes('"\\/bfnrt'));
