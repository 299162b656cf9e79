import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createdAt } from "../../services/local/sample/created-at.ts";
import { moment } from "../../services/local/sample/moment.ts";
import { readChronicle } from "../../services/local/sample/read-chronicle.ts";

const Chronicle = suite("local: the chronicle of the sample town");

const now = new Date("2025-11-21T10:00:00.000Z");

Chronicle("dates by the clock, the weekday and the calendar, two days back at least", () => {
  const at = (words: string) => new Date(moment(words, now)).toISOString();
  assert.is(at("38m"), "2025-11-21T09:22:00.000Z");
  assert.is(at("27h"), "2025-11-20T07:00:00.000Z");
  assert.is(at("Wed 0w 10:00"), "2025-11-19T10:00:00.000Z");
  assert.is(at("Wed 0w 10:01"), "2025-11-12T10:01:00.000Z");
  assert.is(at("Sat 3w 15:04"), "2025-10-25T15:04:00.000Z");
  assert.is(at("11-19 0y 10:00"), "2025-11-19T10:00:00.000Z");
  assert.is(at("11-19 0y 10:01"), "2024-11-19T10:01:00.000Z");
  assert.is(at("12-24 1y 07:10"), "2023-12-24T07:10:00.000Z");
  assert.is(at("Thu 12-12 1y 13:45"), "2023-12-14T13:45:00.000Z");
  for (const words of ["", "soon", "5d", "Sat 15:04", "Xyz 1w 10:00"]) assert.throws(() => moment(words, now));
});

Chronicle("refuses a chronicle that does not add up", () => {
  for (const line of [
    "[5m] lighthouse no colon",
    "  [+3m] lighthouse: an answer to nothing",
    "[+3m] lighthouse: an answer to nothing",
    "[5m] lighthouse: said\n   [+3m] lighthouse: half indented",
    "[5m] lighthouse: said\n  [3m] lighthouse: an answer with a date of its own",
    "[5m] lighthouse: RT &nothing",
  ]) {
    assert.throws(() => readChronicle([line], now), /line/i, line);
  }
});

Chronicle("tells threads, marks and repeats apart", () => {
  const page = `
[5h] lighthouse @lamp ×7 &light: Two⏎lines: of light.
  [+9m] MissQuill: Prose.
    [+1m] MissQuill: Well, almost.
  [+2m] lighthouse: Thank you.
[4h] MissQuill: RT &light`;
  const [root, reply, own, second, repost] = readChronicle([page], now);
  assert.equal([root?.markup, root?.place, root?.reposts], ["Two\nlines: of light.", "lamp", 7]);
  assert.equal([reply?.markup, reply?.answers], ["@lighthouse Prose.", root]);
  assert.equal([own?.markup, own?.answers], ["Well, almost.", reply]);
  assert.equal([second?.markup, second?.answers], ["Thank you.", root]);
  assert.is(repost?.repeats, root);
  const waited = ((reply?.at ?? 0) - (root?.at ?? 0)) / 60_000;
  assert.ok(waited >= 9 && waited < 10);
});

Chronicle("writes dates as Twitter does", () => {
  assert.is(createdAt(Date.UTC(2008, 7, 27, 13, 8, 45, 999)), "Wed Aug 27 13:08:45 +0000 2008");
  assert.is(createdAt(Date.UTC(2026, 0, 4)), "Sun Jan 04 00:00:00 +0000 2026");
});

Chronicle.run();
