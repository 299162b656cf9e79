import fc from "fast-check";
import * as assert from "uvu/assert";
import { maxJsonBytes } from "../../services/platform/storable.ts";
import { suite } from "../support/suite.ts";

const Storable = suite("what Postgres can store");

Storable("no value takes more bytes as JSON than its bound", () => {
  const value = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });
  fc.assert(fc.property(value, (value) => Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytes(value)));
  for (const value of ["\u0001".repeat(100), "\ud800", { "\u001f": "\u001f" }, [[[]]], -5e-324, null, false, ""]) {
    assert.ok(Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytes(value), JSON.stringify(value));
  }
});

Storable.run();
