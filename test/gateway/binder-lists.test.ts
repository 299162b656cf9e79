import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { bad, outcome, type Row, refusal, show, users } from "./bound-requests.ts";

const Binder = suite("gateway binder: lists");

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

Binder("refuses more than 1,000 entries in both lists together, and names the list that exceeds it", () => {
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

Binder("reports unreadable entries before too many", () => {
  const { responseStatus } = refusal(() => users({ userIds: ["x"], screenNames: Array(2_000).fill("a") }));
  assert.equal(
    responseStatus.errors.map((error) => `${error.fieldName} ${error.errorCode}`),
    ["userIds SerializationException"],
  );
});

Binder.run();
