import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compileBinder, type JsonObject } from "../../gateway/binding/compile-binder.ts";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import type { Pairs } from "../../gateway/http/requests/form-pairs.ts";
import { RegistrationRequestSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { SocialTimelinesRequestSchema, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { makeService } from "./made-descriptors.ts";

const Binder = suite("gateway binder");

const bindTimeline = compileBinder(SocialTimelinesRequestSchema);
const bindUsers = compileBinder(SocialUsersRequestSchema);
const bindRegistration = compileBinder(RegistrationRequestSchema);
const largest = 9007199254740991n;
const bad = Symbol("refused");

/** What a field becomes when a JSON body, or a query, says `given`. */
type Row = [given: unknown, expected: unknown];

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

const nameLists: Row[] = [
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  [" a , b ", ["a", "b"]],
  ["a,,b,", ["a", "b"]],
  ["[a,b]", ["a", "b"]],
  [' [ "a" , b ] ', ["a", "b"]],
  ['["a","b"]', ["a", "b"]],
  ['"a,b"', ["a,b"]],
  ['"a,b",c', ["a,b", "c"]],
  ['"a\\"b\\u0041"', ['a"bA']],
  ['" a "', ["a"]],
  ['a"b', ['a"b']],
  ["a]", ["a]"]],
  ["", []],
  ["[]", []],
  ['""', []],
  [" , ,", []],
  ["[a", bad],
  ['"a', bad],
  ['"a"b,c', bad],
  ['a,"b', bad],
  ['"\\x"', bad],
  ["a\0,b", bad],
  ["a,\ud800", bad],
];
for (const [text, expected] of nameLists) {
  Binder(`splits ${JSON.stringify(text)} into a list: ${show(expected)}`, () => {
    assert.equal(
      outcome(() => users({ screenNames: text }).screenNames),
      expected,
    );
    assert.equal(
      outcome(() => users({}, [["screenNames", text as string]]).screenNames),
      expected,
    );
  });
}

const jsonLists: Row[] = [
  [
    ["1", 2, " 3 "],
    [1n, 2n, 3n],
  ],
  [[null, "", "  "], []],
  [[], []],
  [7, [7n]],
  [["1,2"], bad],
  [["x"], bad],
  [[1.5], bad],
  [[true], bad],
  [[["1"]], bad],
  [{ 0: "1" }, bad],
  [true, bad],
  [null, []],
];
for (const [value, expected] of jsonLists) {
  Binder(`reads the JSON value ${show(value)} as a list of ids: ${show(expected)}`, () => {
    assert.equal(
      outcome(() => users({ userIds: value }).userIds),
      expected,
    );
  });
}

Binder("does not split the items of a JSON array", () => {
  assert.equal(users({ screenNames: ["a,b", '"c"'] }).screenNames, ["a,b", '"c"']);
});

Binder("joins the lists of a repeated parameter", () => {
  assert.equal(
    users({}, [
      ["userIds", "1"],
      ["USERIDS", "2,3"],
      ["userids", ""],
    ]).userIds,
    [1n, 2n, 3n],
  );
});

Binder("refuses more than 1,000 entries in both lists together, naming the one with which they are too many", () => {
  const list = (length: number) => Array.from({ length }, (_, index) => `${index}`);
  const fault = (read: () => unknown) => {
    const { status, responseStatus } = refusal(read);
    const fields = responseStatus.errors.map((error) => error.fieldName);
    return [status, responseStatus.errorCode, ...fields, responseStatus.message];
  };
  const words = "'User Ids' and 'Screen Names' together must be between 0 and 1000 entries.";
  const ids = [400, "InclusiveBetween", "userIds", words];
  const both = [400, "InclusiveBetween", "screenNames", words];
  assert.is((users({ userIds: list(600), screenNames: list(400) }).screenNames as unknown[]).length, 400);
  assert.equal(
    fault(() => users({ userIds: list(600), screenNames: list(401) })),
    both,
  );
  assert.equal(
    fault(() => users({ userIds: list(600) }, [["screenNames", list(401).join()]])),
    both,
  );
  assert.equal(
    fault(() => users({ userIds: list(1_001), screenNames: ["a"] })),
    ids,
  );
  assert.equal(
    fault(() => users({}, [["userIds", `[${list(1_001).join()}]`]])),
    ids,
  );
  const pairs = list(1_001).map((text) => ["userIds", text] as const);
  assert.equal(
    fault(() => users({}, pairs)),
    ids,
  );
  assert.equal(users({ userIds: list(2_000) }, [["userIds", "7"]]).userIds, [7n], "a stronger source replaces it");
  assert.equal(users({ screenNames: `[${'"",'.repeat(5_000)} , a,,"\\u0020"]` }).screenNames, ["a"]);
});

Binder("reports what cannot be read before what is too much", () => {
  const { responseStatus } = refusal(() => users({ userIds: ["x"], screenNames: Array(2_000).fill("a") }));
  assert.equal(
    responseStatus.errors.map((error) => `${error.fieldName} ${error.errorCode}`),
    ["userIds SerializationException"],
  );
});

Binder("matches names without regard to case and ignores unknown ones", () => {
  const request = registration({ USERNAME: "a", unknown: { deep: [] } }, [
    ["EMAIL", "b"],
    ["x", "\ud800"],
  ]);
  assert.is(request.userName, "a");
  assert.is(request.email, "b");
});

Binder("lets a stronger source win: JSON, then path, then query, then form", () => {
  const path: Pairs = [["screenName", "path"]];
  const query: Pairs = [["screenName", "query"]];
  const form: Pairs = [["screenName", "form"]];
  assert.is(timeline({ screenName: "json" }).screenName, "json");
  assert.is(timeline({ screenName: "json" }, path).screenName, "path");
  assert.is(timeline({ screenName: "json" }, path, query).screenName, "query");
  assert.is(timeline({ screenName: "json" }, path, query, form).screenName, "form");
});

Binder("replaces the list of a weaker source instead of adding to it", () => {
  assert.equal(users({ userIds: [1] }, [["userIds", "2"]]).userIds, [2n]);
});

Binder("never overrides a filled value with an empty one", () => {
  assert.is(timeline({ screenName: "json" }, [["screenName", ""]], [["screenName", "  "]]).screenName, "json");
  assert.is(timeline({ take: 5 }, [["take", ""]]).take, 5n);
  assert.equal(users({ userIds: [1] }, [["userIds", "[]"]]).userIds, [1n]);
});

Binder("lets an explicit false override a weaker true", () => {
  assert.is(registration({ autoLogin: true }, [["autoLogin", "false"]]).autoLogin, false);
});

Binder("refuses a scalar that one source gives twice with different values", () => {
  assert.is(
    outcome(() =>
      timeline({}, [
        ["take", "1"],
        ["TAKE", "2"],
      ]),
    ),
    bad,
  );
  assert.is(
    outcome(() =>
      registration({}, [
        ["userName", "a"],
        ["userName", "b"],
      ]),
    ),
    bad,
  );
  assert.is(
    timeline({}, [
      ["take", "1"],
      ["take", "1"],
      ["take", ""],
    ]).take,
    1n,
  );
});

Binder("counts the last of JSON keys that differ in case only, but never null", () => {
  assert.is(registration({ userName: "a", USERNAME: "b" }).userName, "b");
  assert.is(registration({ userName: "a", USERNAME: null }).userName, "a");
});

Binder("refuses a bad value even where a stronger source overrides it", () => {
  assert.is(
    outcome(() => timeline({ take: "x" }, [["take", "5"]])),
    bad,
  );
  assert.is(
    outcome(() => timeline({ take: 5 }, [["take", "x"]])),
    bad,
  );
});

Binder("reports all bad fields together, in the order of the request's table, each once", () => {
  const query: Pairs = [
    ["maxId", "-"],
    ["take", "x"],
    ["take", "y"],
  ];
  const { responseStatus } = refusal(() => timeline({ sinceId: "z", maxId: 1.5 }, query));
  assert.equal(
    responseStatus.errors.map((error) => error.fieldName),
    ["take", "sinceId", "maxId"],
  );
  assert.equal(
    responseStatus.errors.map((error) => error.errorCode),
    Array(3).fill("SerializationException"),
  );
  assert.is(responseStatus.message, "'Take' should be a whole number.");
  assert.is(responseStatus.errorCode, "SerializationException");
});

Binder("never repeats a value in an error", () => {
  const { responseStatus } = refusal(() => registration({ password: "hunter2\0", autoLogin: "hunter2" }));
  assert.not.match(
    JSON.stringify(responseStatus, (_, value) => value as unknown),
    "hunter2",
  );
});

Binder("treats __proto__ and constructor as unknown names", () => {
  const json = JSON.parse('{"__proto__":{"userName":"a"},"constructor":{"prototype":{"userName":"b"}}}') as JsonObject;
  assert.is(
    registration(json, [
      ["__proto__", "c"],
      ["constructor", "d"],
    ]).userName,
    "",
  );
  assert.is(({} as { userName?: string }).userName, undefined);
});

Binder("leaves unset what the request does not give", () => {
  assert.equal({ ...timeline({}) }, { $typeName: "social.v1.SocialTimelinesRequest", screenName: "" });
});

Binder("reads 32-bit numbers within their range, alone and in lists", () => {
  const { input } = makeService({
    methods: [{ name: "Ask", paths: [] }],
    asked: [
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
  assert.is(read({ isOn: true }).isOn, false, "internal fields are not the public's to set");
});

for (const type of ["BYTES", "DOUBLE", "UINT64"] as const) {
  Binder(`fails at boot on a request field of type ${type}`, () => {
    const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], asked: [{ name: "a", type }] }).methods[0]!;
    assert.throws(() => compileBinder(input), /field made\.Asked\.a is of a kind that a public request cannot have/);
  });
}

Binder("fails at boot on a list of which nothing says how long it may be", () => {
  const asked = [{ name: "a", type: "STRING" as const, isList: true }];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], asked, maxEntries: 0 }).methods[0]!;
  assert.throws(() => compileBinder(input), /made\.Asked has a list and no max_entries/);
});

Binder("fails at boot on a request field in a oneof", () => {
  const asked = [{ name: "a", type: "STRING" as const, isChoice: true }];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], asked }).methods[0]!;
  assert.throws(() => compileBinder(input), /field made\.Asked\.a is of a kind that a public request cannot have/);
});

Binder("fails at boot on fields that differ in case only", () => {
  const asked = [
    { name: "ab", type: "STRING" as const },
    { name: "aB", type: "STRING" as const },
  ];
  const { input } = makeService({ methods: [{ name: "Ask", paths: [] }], asked }).methods[0]!;
  assert.throws(() => compileBinder(input), /differ in case only/);
});

Binder.run();

type Bound = Record<string, unknown>;

function timeline(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindTimeline(json, texts) as unknown as Bound;
}

function users(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindUsers(json, texts) as unknown as Bound;
}

function registration(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindRegistration(json, texts) as unknown as Bound;
}

/** The value, or `bad` when the request was refused with 400. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof PublicError && error.status === 400) return bad;
    throw error;
  }
}

function refusal(read: () => unknown): PublicError {
  try {
    read();
  } catch (error) {
    if (error instanceof PublicError) return error;
  }
  throw new Error("the request was not refused");
}

function show(value: unknown): string {
  if (value === bad) return "refused";
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint"
    ? `${value}`
    : (JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}` : (item as unknown))) ?? "nothing");
}
