import * as assert from "uvu/assert";
import { compileBinder, type JsonObject } from "../../gateway/binding/compile-binder.ts";
import { suite } from "../support/suite.ts";
import { bad, outcome, type Row, registration, show, timeline } from "./bound-requests.ts";
import { makeService } from "./made-descriptors.ts";

const Binder = suite("gateway binder: scalars");

const largest = 9007199254740991n;

const ids: Row[] = [
  ["1", 1n],
  ["0", 0n],
  ["9007199254740991", largest],
  ["9007199254740992", bad],
  ["99999999999999999999999", bad],
  ["01", bad],
  ["00", bad],
  ["-1", bad],
  ["+1", bad],
  [" 1", bad],
  ["1 ", bad],
  ["1.0", bad],
  ["1e3", bad],
  ["0x1", bad],
  ["１", bad],
  ["abc", bad],
  ["", undefined],
  ["  ", undefined],
];
for (const [text, expected] of ids) {
  Binder(`reads ${JSON.stringify(text)} as an id: ${show(expected)}`, () => {
    assert.is(
      outcome(() => timeline({ sinceId: text }).sinceId),
      expected,
    );
    assert.is(
      outcome(() => timeline({}, [["sinceId", text as string]]).sinceId),
      expected,
    );
  });
}

const jsonIds: Row[] = [
  [1, 1n],
  [0, 0n],
  [-0, bad],
  [-1, bad],
  [1.5, bad],
  [2 ** 53 - 1, largest],
  [2 ** 53, bad],
  [1e300, bad],
  [true, bad],
  [[], bad],
  [["1"], bad],
  [{}, bad],
  [null, undefined],
];
for (const [value, expected] of jsonIds) {
  Binder(`reads the JSON value ${show(value)} as an id: ${show(expected)}`, () => {
    assert.is(
      outcome(() => timeline({ sinceId: value }).sinceId),
      expected,
    );
  });
}

const integers: Row[] = [
  ["5", 5n],
  ["-5", -5n],
  ["0", 0n],
  ["-0", 0n],
  ["9007199254740991", largest],
  ["-9007199254740991", -largest],
  ["9007199254740992", largest],
  ["99999999999999999999999999", largest],
  ["-99999999999999999999999999", -largest],
  ["05", bad],
  ["+5", bad],
  ["5.0", bad],
  ["5e0", bad],
  [" 5", bad],
  ["five", bad],
  ["", undefined],
  [" \t", undefined],
];
for (const [text, expected] of integers) {
  Binder(`reads ${JSON.stringify(text)} as a whole number: ${show(expected)}`, () => {
    assert.is(
      outcome(() => timeline({ take: text }).take),
      expected,
    );
    assert.is(
      outcome(() => timeline({}, [["take", text as string]]).take),
      expected,
    );
  });
}

const jsonIntegers: Row[] = [
  [5, 5n],
  [-5, -5n],
  [5.5, bad],
  [2 ** 53, largest],
  [1e300, largest],
  [-1e300, -largest],
  [false, bad],
  [[5], bad],
  [null, undefined],
];
for (const [value, expected] of jsonIntegers) {
  Binder(`reads the JSON value ${show(value)} as a whole number: ${show(expected)}`, () => {
    assert.is(
      outcome(() => timeline({ take: value }).take),
      expected,
    );
  });
}

const booleans: Row[] = [
  ["true", true],
  ["TRUE", true],
  ["1", true],
  ["On", true],
  ["false", false],
  ["False", false],
  ["0", false],
  ["off", false],
  ["", false],
  [" ", false],
  ["yes", bad],
  ["2", bad],
  [" true", bad],
  ["null", bad],
];
for (const [text, expected] of booleans) {
  Binder(`reads ${JSON.stringify(text)} as a boolean: ${show(expected)}`, () => {
    assert.is(
      outcome(() => registration({ autoLogin: text }).autoLogin),
      expected,
    );
    assert.is(
      outcome(() => registration({}, [["autoLogin", text as string]]).autoLogin),
      expected,
    );
  });
}

const jsonBooleans: Row[] = [
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  [2, bad],
  [[], bad],
  [{}, bad],
  [null, false],
];
for (const [value, expected] of jsonBooleans) {
  Binder(`reads the JSON value ${show(value)} as a boolean: ${show(expected)}`, () => {
    assert.is(
      outcome(() => registration({ autoLogin: value }).autoLogin),
      expected,
    );
  });
}

const strings: Row[] = [
  ["a", "a"],
  [" a ", " a "],
  ["é\u{1F426}", "é\u{1F426}"],
  ["\ufffd", "\ufffd"],
  ["", ""],
  ["   ", ""],
  ["a\0b", bad],
  ["a\ud800", bad],
  ["\udc00a", bad],
  [5, "5"],
  [-5, "-5"],
  [2 ** 53 - 1, "9007199254740991"],
  [2 ** 53, bad],
  [1.5, bad],
  [true, bad],
  [["a"], bad],
  [{}, bad],
  [null, ""],
];
for (const [value, expected] of strings) {
  Binder(`reads the JSON value ${show(value)} as a string: ${show(expected)}`, () => {
    assert.is(
      outcome(() => registration({ userName: value }).userName),
      expected,
    );
  });
}

Binder("reads 32-bit numbers within their range, alone and in lists", () => {
  const { input } = makeService({
    methods: [{ name: "Ask", paths: [] }],
    request: [
      { name: "count", type: "INT32" },
      { name: "sizes", type: "INT32", isList: true },
      { name: "is_on", type: "BOOL", isInternal: true },
    ],
  }).methods[0]!;
  const bind = compileBinder(input);
  const read = (json: JsonObject) => bind(json, []) as unknown as Record<string, unknown>;
  assert.is(read({ count: "-2147483648" }).count, -(2 ** 31));
  assert.is(read({ count: 2 ** 31 - 1 }).count, 2 ** 31 - 1);
  assert.is(
    outcome(() => read({ count: 2 ** 31 })),
    bad,
  );
  assert.is(
    outcome(() => read({ count: "-2147483649" })),
    bad,
  );
  assert.equal(read({ sizes: "1,-2" }).sizes, [1, -2]);
  assert.is(read({ isOn: true }).isOn, false, "internal fields cannot be set by a request");
});

Binder.run();
