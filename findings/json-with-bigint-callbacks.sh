#!/bin/sh
# The guess: `JSONStringify` and `JSONParse` call a replacer and a reviver as JSON.stringify and JSON.parse do: the types are the same, and the README
# says that one can replace every call by theirs.
# What happens: neither is called for a BigInt, which is what the library is for. A replacer that writes ids as text leaves them numbers, which
# JSON.parse of the reader rounds to another id. A reviver that makes texts of ids makes them of small ones only. A list of properties is
# ignored, and all are written; and a replacer has no `this`, by which one finds what was a Date.
# Version and source: json-with-bigint 3.5.12 (json-with-bigint.js: `JSONStringify` returns before it calls `replacer`, which it calls as a function
# and knows as a list only for data too deep for the stack; `JSONParseV2` returns before it calls `reviver`, which its comment says "is called for
# each member of the object"). Node 20 goes another way there, to the same end.
# Why it matters here: our own ids stay within 2^53-1, those in archives do not; cli/json/read-elements.ts keeps their digits. Who prepares an archive
# with this library and wants ids as text, as browsers need them, has to change the data itself, and not by a replacer or a reviver.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "json-with-bigint@3.5.12" >/dev/null
cat >try.mjs <<'SCRIPT'
import { JSONParse, JSONStringify } from "json-with-bigint";

const status = { id: 658411923144015873n, text: "Hi", read: 3, at: new Date(0) };
const idAsText = (_, value) => (typeof value === "bigint" ? `${value}` : value);
const dateAsNumber = function (key, value) {
  return this?.[key] instanceof Date ? this[key].getTime() : value;
};
const ids = '{"first":7,"second":658411923144015873}';
const asText = (_, value) => (typeof value === "object" ? value : `${value}`);
// Without a BigInt, where the library and JSON can both be asked.
const { id: _, ...small } = status;

const written = JSONStringify(status, idAsText);
const found = {
  "replacer for ids, JSON": JSON.stringify(status, idAsText),
  "replacer for ids": written,
  "its id, read by JSON.parse": BigInt(JSON.parse(written).id).toString(),
  "list [text], JSON": JSON.stringify(small, ["text"]),
  "list [text]": JSONStringify(small, ["text"]),
  "replacer with this, JSON": JSON.stringify(small, dateAsNumber),
  "replacer with this": JSONStringify(small, dateAsNumber),
  "reviver to text": Object.entries(JSONParse(ids, asText)).map(([key, value]) => `${key} is a ${typeof value}`).join(", "),
};
for (const [name, result] of Object.entries(found)) console.log(`${name}: ${result}`);
const expected = {
  "replacer for ids, JSON": '{"id":"658411923144015873","text":"Hi","read":3,"at":"1970-01-01T00:00:00.000Z"}',
  "replacer for ids": '{"id":658411923144015873,"text":"Hi","read":3,"at":"1970-01-01T00:00:00.000Z"}',
  "its id, read by JSON.parse": "658411923144015872",
  "list [text], JSON": '{"text":"Hi"}',
  "list [text]": '{"text":"Hi","read":3,"at":"1970-01-01T00:00:00.000Z"}',
  "replacer with this, JSON": '{"text":"Hi","read":3,"at":0}',
  "replacer with this": '{"text":"Hi","read":3,"at":"1970-01-01T00:00:00.000Z"}',
  "reviver to text": "first is a string, second is a bigint",
};
const asFound = JSON.stringify(found) === JSON.stringify(expected);
console.log(`json-with-bigint 3.5.12, Node ${process.version}: ${asFound ? "as found" : "CHANGED: it no longer behaves so"}`);
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
