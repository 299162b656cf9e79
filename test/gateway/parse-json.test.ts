import fc from "fast-check";
import * as assert from "uvu/assert";
import { parseJson } from "../../gateway/binding/parse-json.ts";
import { suite } from "../support/suite.ts";

const Json = suite("gateway JSON");

const names = new Set(["alone", "list", "n", "b", "username", "ab", "c", "7", "__proto__"]);
const read = (text: string) => parseJson(text, { names, clearable: new Set(), maxElements: 3, maxRequests: 4 });

const notWhole = [
  "1.0000000000000000001",
  "-1.0000000000000000001",
  "0.99999999999999999999",
  "9007199254740991.2",
  "4503599627370496.25",
  "123456789012345678901e-1",
  "10000000000000000000010000000000000000000001e-22",
  "22517998136852492e-1",
  "10000000000000001e-16",
  "99999999999999999e-17",
  "1e-400",
  "-1E-400",
  `0.${"0".repeat(400)}1`,
  "1.5",
];
const whole = [
  "1.0",
  "5e0",
  "-0.0",
  "0e-999",
  "100e-2",
  "1.50e1",
  "9007199254740991.000",
  `1.${"0".repeat(400)}`,
  "0.1e1",
];
for (const text of [...notWhole, ...whole]) {
  const isWhole = whole.includes(text);
  Json(`reads ${text.slice(0, 48)} as ${isWhole ? "a whole number" : "a number that is not whole"}`, () => {
    const { alone, list } = read(`{"alone":${text},"list":[1,${text} ]}`) as { alone: number; list: number[] };
    assert.equal([Number.isInteger(alone), Number.isInteger(list[1])], [isWhole, isWhole]);
    if (isWhole) assert.is(alone, Number(text));
  });
}

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

Json("reads only known fields, by their names in lower case", () => {
  const text = ' {"x":[{"b":1}],"\\u0055serName" : "a\\n" , "B":"\\",2.5","constructor":1,"toString":{"b":2}} ';
  const parsed = read(text) as object;
  assert.equal(Object.keys(parsed), ["username", "b"]);
  assert.equal(parsed, { username: "a\n", b: '",2.5' });
  assert.is(Object.getPrototypeOf(parsed), Object.prototype);
});

Json("reads the last value of each spelling of a field, and of these the last that is not null", () => {
  const last = (text: string) => (read(text) as { username: unknown }).username;
  assert.is(last('{"userName":"a","USERNAME":"b","userName":"c"}'), "c");
  assert.is(last('{"userName":"a","USERNAME":"b"}'), "b");
  assert.is(last('{"USERNAME":"b","userName":"a","\\u0055SERNAME" :"c","x":{"userName":"d"},"userName":"e"}'), "e");
  assert.is(last('{"USERNAME":"a","userName":"b","\\u0055SERNAME" :"c"}'), "c");
  assert.is(last('{"USERNAME":"a","userName":null}'), "a");
  assert.is(last('{"userName":"a","userName":null}'), undefined);
  assert.is(last('{"userName":null,"userName":"a"}'), "a");
  assert.is(last('{"username":"\\\\","Username":"\\":","username":{"a":[{"username":1}]},"USERNAME":"last"}'), "last");
});

Json("reads of a list one element more than allowed, without empty ones", () => {
  const list = (text: string) => (read(`{"list":${text}}`) as { list: unknown }).list;
  assert.equal(list('["a",null,""," ","\\t\\u3000\\uFEFF\\r","\\n\\f\\u00a0 ",1,true,"more"]'), ["a", 1, true]);
  assert.equal(list('["\\b","\\u200b",[["x"],{"y":1}]]'), ["\b", "\u200b", {}]);
  assert.equal(list("[1,{},[]]"), [1, {}]);
  assert.equal(list(" [ ] "), []);
});

Json("reads the requests of a batch, at most one more than allowed", () => {
  assert.equal(read('[{"n":1,"N":2},null,[{"n":1}],"{",{"n":3}]'), [{ n: 2 }, null, [], "{"]);
  assert.equal(read("[]"), []);
  assert.equal(["null", "1", '"a"', "true"].map(read), [null, 1, "a", true]);
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
