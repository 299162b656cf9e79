#!/bin/sh
# The guess: a client of server-sent events gives the data as it was sent: one space after the colon is dropped, lines are joined, and a
# block without data is no event.
# What happens: all white space after the colon is dropped, so indented lines lose their indent; empty lines at the beginning of the data
# are lost, and a block whose only data is empty without a colon too; a block with an id alone is given as an event without data; an id
# is a number or a string, depending on its digits.
# Version and source: fetch-event-stream 0.1.6 (esm/utils.js splits at /[:]\s*/, esm/mod.js joins only to data that is not empty), beside
# eventsource-parser 4.1.3. WHATWG HTML, 9.2.6: "If value starts with a U+0020 SPACE character, remove it from value."
# Why it matters here: our live streams begin with a block that has an id alone, so such a reader has to skip events without data; and
# data stays JSON on one line, which comes through unchanged.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "fetch-event-stream@0.1.6" "eventsource-parser@4.1.3" >/dev/null
cat >try.mjs <<'SCRIPT'
import { isDeepStrictEqual } from "node:util";
import { createParser } from "eventsource-parser";
import { events } from "fetch-event-stream";

// Each stream, what the standard makes of it, and what was found.
const cases = [
  ["data: a:\ndata:   - b\n\n", [{ data: "a:\n  - b" }], [{ data: "a:\n- b" }]],
  ["data:\ndata: a\n\n", [{ data: "\na" }], [{ data: "a" }]],
  ["data\n\ndata: a\n\n", [{ data: "" }, { data: "a" }], [{ data: "a" }]],
  ["id: x1\n\ndata: a\n\n", [{ data: "a" }], [{ id: "x1" }, { data: "a" }]],
  [
    "id: 9007199254740992\ndata: a\n\nid: 9007199254740993\ndata: b\n\n",
    [{ id: "9007199254740992", data: "a" }, { id: "9007199254740993", data: "b" }],
    [{ id: 9007199254740992, data: "a" }, { id: "9007199254740993", data: "b" }],
  ],
  // As JSON on one line it comes through.
  ['data: {"text":"  a: b\\n c"}\n\n', [{ data: '{"text":"  a: b\\n c"}' }], [{ data: '{"text":"  a: b\\n c"}' }]],
];
let asFound = true;
for (const [stream, standard, found] of cases) {
  const parsed = [];
  const parser = createParser({ onEvent: ({ id, data }) => parsed.push(id === undefined ? { data } : { id, data }) });
  parser.feed(stream);
  const given = [];
  for await (const event of events(new Response(stream))) given.push(event);
  console.log(JSON.stringify(stream));
  console.log("  eventsource-parser 4.1.3:", JSON.stringify(parsed));
  console.log("  fetch-event-stream 0.1.6:", JSON.stringify(given));
  asFound &&= isDeepStrictEqual(parsed, standard) && isDeepStrictEqual(given, found);
}
console.log(asFound ? "As found." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
