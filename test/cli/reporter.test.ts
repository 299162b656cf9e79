import * as assert from "uvu/assert";
import { printable, terminalReporter } from "../../cli/reporter.ts";
import { suite } from "../support/suite.ts";

const Reporter = suite("cli: reporter");

Reporter("redraws a bar on a terminal at most ten times a second, with the rate and the time left", () => {
  const { out, reporter, pass } = reporterOn(true);
  reporter.progress({ phase: "statuses", done: 0, share: 0 });
  reporter.progress({ phase: "statuses", done: 16, share: 0.01 });
  pass(2_000);
  reporter.progress({ phase: "statuses", done: 3_000, share: 0.5 });
  pass(100);
  reporter.progress({ phase: "statuses", done: 6_000, share: 1 });
  reporter.done();
  assert.equal(out, [
    "\r\x1b[K[--------------------] sent 0 statuses (0 %)",
    "\r\x1b[K[##########----------] sent 3000 statuses (50 %), 1500/s, 2 s left",
    "\r\x1b[K[####################] sent 6000 statuses (100 %), 2857/s, 0 s left",
    "\r\x1b[K",
  ]);
});

Reporter("writes plain lines elsewhere, one in three seconds, and measures each phase separately", () => {
  const { out, reporter, pass } = reporterOn(false);
  reporter.progress({ phase: "reading", done: 1, share: undefined });
  pass(3_000);
  reporter.progress({ phase: "reading", done: 301, share: undefined });
  reporter.progress({ phase: "reading", done: 400, share: undefined });
  pass(3_000);
  reporter.progress({ phase: "users", done: 4, share: 0.25 });
  pass(3_000);
  reporter.progress({ phase: "users", done: 7, share: 0.26 });
  reporter.done();
  assert.equal(out, ["read 301 items, 100/s\n", "sent 4 users (25 %)\n", "sent 7 users (26 %), 1/s, 4 min left\n"]);
  assert.is(reporter.latest?.done, 7);
});

Reporter("shows bidirectional control characters by their code points", () => {
  assert.is(printable("a\u202eb\u2066c\u2069 \u200f\u061cd\u200b"), "a\\u202eb\\u2066c\\u2069 \\u200f\\u061cd\u200b");
});

Reporter("writes each refusal in place of the bar, without control characters", () => {
  const { out, reporter } = reporterOn(true);
  reporter.refused("a\x1b[2J.json[1]", "no\nway");
  assert.equal(out, ["\r\x1b[K", "a\ufffd[2J.json[1]: no\ufffdway\n"]);
});

Reporter.run();

function reporterOn(isTTY: boolean) {
  const out: string[] = [];
  let time = 1_000_000;
  const reporter = terminalReporter({ isTTY, write: (text: string) => out.push(text) }, () => time);
  return { out, reporter, pass: (ms: number) => (time += ms) };
}
