import fc from "fast-check";

/** Any code point but half of a pair, as fast-check's unit "binary": its table of all of them takes a second and 120 MB. */
export const codePoint = fc
  .nat(0x10ffff - 0x800)
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
