import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../gateway/binding/parse-json.ts";

const Json = suite("gateway JSON");

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
  Json(`takes ${text.slice(0, 48)} for ${isWhole ? "a whole number" : "one that is not whole"}`, () => {
    const { alone, list } = parseJson(`{"alone":${text},"list":[1,${text} ]}`) as { alone: number; list: number[] };
    assert.equal([Number.isInteger(alone), Number.isInteger(list[1])], [isWhole, isWhole]);
    if (isWhole) assert.is(alone, Number(text));
  });
}

Json("tells a whole number from another as exact arithmetic does", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0019"), minLength: 1, maxLength: 24 });
  const number = fc.tuple(digits.map(BigInt), fc.option(digits), fc.option(fc.integer({ min: -45, max: 24 })));
  const property = fc.property(number, ([integer, fraction, exponent]) => {
    const text = `${integer}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`;
    const shift = (exponent ?? 0) - (fraction ?? "").length;
    const isWhole = shift >= 0 || BigInt(`${integer}${fraction ?? ""}`) % 10n ** BigInt(-shift) === 0n;
    assert.is(Number.isInteger((parseJson(`{"n":${text}}`) as { n: number }).n), isWhole, text);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("leaves strings alone that look like such numbers, in keys as well", () => {
  const text =
    '{"1.0000000000000000001":"a,1.0000000000000000001","b":"\\",2.0000000000000000001","c":1.0000000000000000001}';
  assert.equal(parseJson(text), {
    "1.0000000000000000001": "a,1.0000000000000000001",
    b: '",2.0000000000000000001',
    c: 0.5,
  });
});

Json("orders keys that differ in case only by where each stands last", () => {
  const last = (text: string) => Object.values(parseJson(text) as object).at(-1) as unknown;
  assert.is(last('{"userName":"a","USERNAME":"b","userName":"c"}'), "c");
  assert.is(last('{"userName":"a","USERNAME":"b"}'), "b");
  assert.is(last('{"USERNAME":"b","userName":"a","\\u0055SERNAME" :"c","x":{"userName":"d"},"userName":"e"}'), "e");
  assert.is(last('{"USERNAME":"a","userName":"b","\\u0055SERNAME" :"c"}'), "c");
  assert.is(last('{"a":"b","A":"a"}'), "a");
  assert.is(last('{"a":"\\\\","A":"\\":","a":{"A":[{"A":1}]},"A":"last"}'), "last");
});

Json("orders the keys of each item of a batch", () => {
  const text = '[{"a":1,"A":2,"a":3},null,[{"a":1}],"{",{"x":{"A":0}},{"A":1,"a":2,"A":3}]';
  const [first, , , , , last] = parseJson(text) as object[];
  assert.equal(Object.entries(first as object), [
    ["A", 2],
    ["a", 3],
  ]);
  assert.equal(Object.entries(last as object), [
    ["a", 2],
    ["A", 3],
  ]);
});

Json("finds the last of keys in any order, among others", () => {
  const key = fc.constantFrom("ab", "aB", "Ab", "AB", "c", "C", "7", "__proto__", "__PROTO__", "ſ", 'q"', "q\\");
  const value = fc.oneof(fc.integer(), fc.constantFrom('{"ab":1}', "}", ":", [{ AB: 0, ab: 1 }], { c: { C: 1 } }));
  const property = fc.property(fc.array(fc.tuple(key, value), { maxLength: 12 }), (pairs) => {
    const text = pairs.map(([name, said]) => `${JSON.stringify(name)} : ${JSON.stringify(said)}`).join(" , ");
    const lastOf = (entries: readonly (readonly [string, unknown])[]) =>
      new Map(entries.map(([name, said]) => [name.toLowerCase(), JSON.stringify(said)]));
    const parsed = parseJson(`{${text}}`) as object;
    assert.equal(lastOf(Object.entries(parsed)), lastOf(pairs));
    assert.is(Object.getPrototypeOf(parsed), Object.prototype);
  });
  fc.assert(property, { numRuns: 3_000 });
});

Json("refuses what is not JSON, also where it would have to put something right", () => {
  for (const text of ['{"a":1.0000000000000000001', '{"a":1,"A":2', "[1.0000000000000000001,]", "{a:1}", ""]) {
    assert.throws(
      () => parseJson(text),
      (error: unknown) => error instanceof SyntaxError,
    );
  }
});

Json("puts a megabyte of anything right in linear time", () => {
  const repeat = (text: string) => text.repeat(Math.floor(1e6 / text.length));
  const hostile = [
    `{"a":0.${repeat("0")}1}`,
    `{"a":1${repeat("0")}.5,"A":2}`,
    `{"a":1e-${repeat("0")}1,"A":2}`,
    `{"A":"${repeat('\\"')}","a":"${repeat("\\\\")}"}`,
    `[${repeat("[")}`,
    `[${repeat(", ")}`,
    `{"A":1,"a":[${repeat("1.0000000000000000001,")}1]}`,
    `{"A":1,"a" ${repeat(" ")}:1}`,
    `{"A":1,"a":"${repeat('" ')}`,
  ];
  // Would not end within the room's deadline if anything backtracked.
  for (const text of hostile) {
    try {
      parseJson(text);
    } catch (error) {
      assert.instance(error, SyntaxError);
    }
  }
});

Json.run();
