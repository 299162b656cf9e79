import { createHash } from "node:crypto";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { parseCreatedAt } from "../../services/social/domain/created-at.ts";
import { digest } from "../../services/social/domain/digest.ts";
import { importedTime } from "../../services/social/domain/imported-time.ts";

const Domain = suite("social domain");

Domain("writes and reads dates in the contract's format", () => {
  const date = new Date("2008-08-27T13:08:45Z");
  assert.is(contractDate(date), "Wed Aug 27 13:08:45 +0000 2008");
  assert.equal(parseCreatedAt("Wed Aug 27 13:08:45 +0000 2008"), date);
  for (let day = 0; day < 400; day++) {
    const some = new Date(Date.UTC(2011, 0, 1 + day, day % 24, day % 60, 7));
    assert.equal(parseCreatedAt(contractDate(some)), some);
  }
});

Domain("refuses dates in other formats", () => {
  const bad = ["", "2008-08-27T13:08:45Z", "Wed Aug 27 13:08:45 +0100 2008", "Wed Feb 31 13:08:45 +0000 2008"];
  const worse = ["Wed Foo 27 13:08:45 +0000 2008", "Wed Aug 27 25:08:45 +0000 2008", " Wed Aug 27 13:08:45 +0000 2008"];
  assert.equal(
    [...bad, ...worse].filter((text) => parseCreatedAt(text) !== undefined),
    [],
  );
});

Domain("gives equal digests of equal content in any order of keys", () => {
  assert.equal(digest({ a: 1n, b: { c: [1, 2], d: null } }), digest({ b: { d: null, c: [1, 2] }, a: 1n }));
  assert.not.equal(digest({ a: [1, 2] }), digest({ a: [2, 1] }));
  assert.not.equal(digest({ a: "1" }), digest({ b: "1" }));
});

Domain("gives the same digests as the stored ones, which were made of JSON", () => {
  const part = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.constantFrom(null, undefined, true, new Date(0), Buffer.from("a")),
      fc.bigInt(),
      fc.array(tie("any")),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("10", "9", "__proto__", "4294967295", "01")), tie("any")),
    ),
  })).any;
  const json = (value: unknown) =>
    JSON.stringify(value, (_, part) => {
      if (typeof part === "bigint") return part.toString();
      if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    });
  fc.assert(
    fc.property(fc.array(part), (value) => {
      assert.equal(digest(value), createHash("sha256").update(json(value)).digest());
    }),
    { numRuns: 300 },
  );
});

Domain("takes the milliseconds of an imported status from a Twitter id that agrees with its date", () => {
  const second = new Date("2014-08-31T00:29:15Z");
  assert.is(importedTime("twitter", "505874924095815681", second).toISOString(), "2014-08-31T00:29:15.263Z");
  assert.equal(importedTime("elsewhere", "505874924095815681", second), second);
  assert.equal(importedTime("twitter", "12345", second), second);
  assert.equal(importedTime("twitter", "605874924095815681", second), second);
});

Domain.run();
