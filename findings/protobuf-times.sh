#!/bin/sh
# The guess: `timestampDate` gives the Date that JavaScript and pg give for the same instant, and `timestampFromMs` takes any number of
# milliseconds, such as performance.timeOrigin + performance.now().
# What happens: timestampDate and timestampMs round to the nearest millisecond, where Date and pg cut off: the last half millisecond of a year
# becomes the next one. timestampFromMs keeps a fraction of a nanosecond. toJson then writes a time with two points, without an error, which
# fromJson of the same library refuses; toBinary refuses the message. durationFromMs does so even for some whole microseconds: of those below
# 20 ms for one in 28.
# Version and source: @bufbuild/protobuf 2.17.0 (wkt/timestamp.js, wkt/duration.js; to-json.js checks the range of `nanos` only), pg-types 2.2.0,
# which pg 8 uses. Their comments say "Create a google.protobuf.Timestamp message from a Unix timestamp in milliseconds".
# Why it matters here: accounts and profiles take times of internal callers by timestampDate, so one can be up to half a millisecond later than
# it was sent. Ours come from Dates and whole milliseconds; a time that was measured has to be rounded before it becomes a message.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@bufbuild/protobuf@2.17.0" "pg-types@2.2.0" >/dev/null
cat >try.mjs <<'SCRIPT'
import { fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { DurationSchema, durationFromMs, TimestampSchema, timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import types from "pg-types";

const outcome = (work) => {
  try {
    return work();
  } catch (error) {
    return `refused: ${error.message}`;
  }
};
const isRefused = (text) => `${text}`.startsWith("refused");

const sent = "2026-12-31T23:59:59.9996Z";
const timestamptz = types.getTypeParser(types.builtins.TIMESTAMPTZ, "text");
const dates = [timestampDate(fromJson(TimestampSchema, sent)), new Date(sent), timestamptz("2026-12-31 23:59:59.9996+00")];
const [rounded, byDate, byPg] = dates.map((date) => date.toISOString());
console.log(`${sent}: ${rounded} by @bufbuild/protobuf 2.17.0, ${byDate} by Date, ${byPg} by pg-types 2.2.0`);

const measured = timestampFromMs(1_796_013_241_271.0098);
const written = outcome(() => toJson(TimestampSchema, measured));
const read = outcome(() => fromJson(TimestampSchema, written));
const bytes = outcome(() => toBinary(TimestampSchema, measured));
console.log(`timestampFromMs(1796013241271.0098): nanos ${measured.nanos}`);
console.log(`  toJson: ${written}\n  fromJson: ${read}\n  toBinary: ${bytes}`);

let refused = 0;
const count = 20_000;
for (let us = 1; us <= count; us++) if (isRefused(outcome(() => toBinary(DurationSchema, durationFromMs(us / 1_000))))) refused++;
console.log(`durationFromMs of whole microseconds up to 20 ms: toBinary refuses ${refused} of ${count}`);

const isCutOff = byDate === "2026-12-31T23:59:59.999Z" && byPg === byDate;
const isWrittenSo = written === "2026-11-30T04:34:01.271009765.625Z" && isRefused(read) && isRefused(bytes);
const asFound = rounded === "2027-01-01T00:00:00.000Z" && isCutOff && isWrittenSo && refused > 0;
console.log(asFound ? "As found: it rounds up, and writes fractions of nanoseconds." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
