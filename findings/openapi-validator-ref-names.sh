#!/bin/sh
# The guess: a validator of OpenAPI takes `$ref`, `$id` and `$anchor` for keywords where a schema or a reference stands, and for plain
# names in `properties` and inside of examples, defaults and constants.
# What happens: it takes them for keywords everywhere. A valid document with a property or an example that has `$ref` is refused, though the
# error speaks of a reference; properties named `$id` and `$anchor` are lost from what `resolveRefs()` returns, without an error; and so
# is what stands beside a `$ref`, which counts since OpenAPI 3.1.
# Version and source: @seriousme/openapi-schema-validator 2.11.0 (resolve.js, `parse`: any key of its `pointerWords`, at any depth);
# its README says of resolveRefs only that it resolves references. ajv 8.20.0 compiles the same schemas. JSON Schema 2020-12, Core 8.2.3.1:
# "$ref" is a keyword of schemas.
# Why it matters here: test/discovery/openapi.test.ts takes this validator's word for our document. A refusal by it may be no fault of the
# document, and what resolveRefs() returns must not be compiled to check replies.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@seriousme/openapi-schema-validator@2.11.0" "ajv@8.20.0" >/dev/null
cat >try.mjs <<'SCRIPT'
import { isDeepStrictEqual } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";

const text = { type: "string" };
const link = { $ref: "posts/7" };
// Each schema, a value, whether that is valid, and the outcome: the error, or the schema that resolveRefs() returns.
const cases = {
  "property ref": [{ type: "object", properties: { ref: text } }, { ref: "a" }, true, { type: "object", properties: { ref: text } }],
  "property $ref": [
    { type: "object", properties: { $ref: text } },
    { $ref: "a" },
    true,
    "Can't resolve [object Object], only internal refs are supported.",
  ],
  "example with $ref": [{ type: "object", examples: [link] }, link, true, "Can't resolve posts/7, only internal refs are supported."],
  "constant with $ref": [{ const: link }, link, true, "Can't resolve posts/7, only internal refs are supported."],
  "properties $id and $anchor": [
    { type: "object", properties: { $id: text, $anchor: text, name: text } },
    { $id: "a", $anchor: "b", name: "c" },
    true,
    { type: "object", properties: { name: text } },
  ],
  "$ref and maxLength": [{ $ref: "#/components/schemas/Text", maxLength: 3 }, "long", false, text],
};
let asFound = true;
for (const [name, [schema, value, isValid, expected]] of Object.entries(cases)) {
  // resolveRefs() changes the document that was given.
  const document = { openapi: "3.1.0", info: { title: "Posts", version: "1" }, components: { schemas: { Text: text, Post: schema } } };
  const { components } = structuredClone(document);
  const takes = new Ajv2020({ strict: false }).compile({ $ref: "#/components/schemas/Post", components });
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  const outcome = valid ? validator.resolveRefs().components.schemas.Post : errors;
  console.log(`${name}: ${JSON.stringify(schema)}`);
  console.log(`  ajv 8.20.0: ${JSON.stringify(value)} is ${takes(value) ? "valid" : "not valid"}`);
  console.log(`  openapi-schema-validator 2.11.0: ${valid ? "valid, resolved to" : "refused:"} ${JSON.stringify(outcome)}`);
  asFound &&= takes(value) === isValid && isDeepStrictEqual(outcome, expected);
}
console.log(asFound ? "As found." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
