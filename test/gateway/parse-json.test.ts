import fc from "fast-check";
import * as assert from "uvu/assert";
import { parseJson } from "../../gateway/binding/parse-json.ts";
import { suite } from "../support/suite.ts";

const Json = suite("gateway JSON");

const names = new Set(["alone", "list", "n", "b", "username", "ab", "c", "7", "__proto__"]);
const read = (text: string) => parseJson(text, { names, clearable: new Set(), maxElements: 3, maxRequests: 4 });

Json("distinguishes whole numbers from others exactly", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0019"), minLength: 1, maxLength: 24 });
  const number = fc.tuple(digits.map(BigInt), fc.option(digits), fc.option(fc.integer({ min: -45, max: 24 })));
  const property = fc.property(number, ([integer, fraction, exponent]) => {
    const text = `${integer}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`;
    const shift = (exponent ?? 0) - (fraction ?? "").length;
    const isWhole = shift >= 0 || BigInt(`${integer}${fraction ?? ""}`) % 10n ** BigInt(-shift) === 0n;
    assert.is(Number.isInteger((read(`{"n":${text}}`) as { n: number }).n), isWhole, text);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("reads the same values as JSON.parse", () => {
  const key = fc.constantFrom("ab", "aB", "Ab", "AB", "c", "C", "7", "__proto__", "__PROTO__", "ſ", 'q"', "q\\");
  const value = fc.oneof(fc.integer(), fc.string(), fc.constantFrom("}", ":", "\\", '"'), fc.boolean(), fc.double());
  const property = fc.property(fc.array(fc.tuple(key, value), { maxLength: 12 }), (pairs) => {
    const text = pairs.map(([name, said]) => `${JSON.stringify(name)} : ${JSON.stringify(said)}`).join(" , ");
    const members = new Map<string, unknown>();
    for (const [name, said] of pairs) {
      members.delete(name);
      members.set(name, JSON.parse(JSON.stringify(said)));
    }
    const expected = new Map<string, unknown>();
    for (const [name, known] of members) {
      if (names.has(name.toLowerCase()) && known !== null) expected.set(name.toLowerCase(), known);
    }
    const parsed = read(`{${text}}`) as object;
    assert.equal(new Map(Object.entries(parsed)), expected);
    assert.is(Object.getPrototypeOf(parsed), Object.prototype);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("refuses the same texts as JSON.parse", () => {
  const characters = '{}[],:"\\ \t\n\r\f-+.eE01u\u00a0\ufeff';
  const words =
    'true false null tru 0.5 -0 01 1e5 [] {} [1,2] {"a":1} "a" "a": "\\n" "\\u12aF" "\\u12a" "\\x" "\u0001" "\u007f"';
  const piece = fc.constantFrom(...characters, ...words.split(" "));
  const noise = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const nearly = fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, inserted]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + inserted + json.slice(place + (at % 2));
  });
  const property = fc.property(fc.oneof(noise, nearly, fc.json()), (text) => {
    // Under a known name, and under another.
    for (const whole of [text, `{"b":${text}}`, `{"x":${text}}`, `[${text}]`]) {
      assert.is(
        accepts(() => read(whole)),
        accepts(() => JSON.parse(whole)),
        whole,
      );
    }
  });
  fc.assert(property, { numRuns: 5_000 });
});

Json("reads long strings as JSON.parse does, wherever an escape, a control character or the end is", () => {
  const endings = [
    '"',
    '\\""',
    '\\u0041"',
    '\\n"',
    "\\",
    '\u0001"',
    '\n"',
    '\u007f"',
    '\u00e9\u4e2d"',
    "\\",
    '\\x"',
    "",
  ];
  for (const length of [0, 1, 62, 63, 64, 65, 66, 1_000]) {
    for (const first of endings) {
      for (const second of endings) {
        const long = "a".repeat(length);
        const text = `{"b":"${long}${first.replace(/"$/, "")}${long}${second}}`;
        const expected = accepts(() => JSON.parse(text)) ? (JSON.parse(text) as object) : undefined;
        if (expected === undefined)
          assert.throws(
            () => read(text),
            (error: unknown) => error instanceof SyntaxError,
          );
        else assert.equal(read(text), expected, text);
      }
    }
  }
});

Json.run();

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    assert.instance(error, SyntaxError);
    return false;
  }
}
