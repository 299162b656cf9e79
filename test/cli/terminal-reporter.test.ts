import { suite } from "uvu";
import * as assert from "uvu/assert";
import { terminalReporter } from "../../cli/import/terminal-reporter.ts";

const Reporter = suite("cli: terminal reporter");

Reporter("draws a bar over itself on a terminal, ten times a second at most", () => {
  const { out, reporter, pass } = reporterOn(true);
  reporter.progress({ phase: "statuses", done: 15, share: 0.5 });
  reporter.progress({ phase: "statuses", done: 16, share: 0.6 });
  pass(100);
  reporter.progress({ phase: "statuses", done: 30, share: 1 });
  reporter.done();
  assert.equal(out, [
    "\r\x1b[K[###############---------------] sent 15 statuses (50 %)",
    "\r\x1b[K[##############################] sent 30 statuses (100 %)",
    "\r\x1b[K",
  ]);
});

Reporter("writes a plain line every three seconds at most elsewhere", () => {
  const { out, reporter, pass } = reporterOn(false);
  reporter.progress({ phase: "reading", done: 1, share: undefined });
  pass(3_000);
  reporter.progress({ phase: "reading", done: 2, share: undefined });
  reporter.progress({ phase: "reading", done: 3, share: undefined });
  pass(3_000);
  reporter.progress({ phase: "users", done: 4, share: 0.25 });
  reporter.done();
  assert.equal(out, ["read 2 items\n", "sent 4 users (25 %)\n"]);
});

Reporter("writes every refusal, and nothing in it can steer the terminal", () => {
  const { out, reporter } = reporterOn(false);
  reporter.refused("a\x1b[2J.json[1]", "no\nway");
  assert.equal(out, ["a\ufffd[2J.json[1]: no\ufffdway\n"]);
});

Reporter("takes the bar away before a refusal", () => {
  const { out, reporter } = reporterOn(true);
  reporter.refused("a.json[1]", "text is missing");
  assert.equal(out, ["\r\x1b[K", "a.json[1]: text is missing\n"]);
});

Reporter.run();

function reporterOn(isTTY: boolean) {
  const out: string[] = [];
  let time = 1_000_000;
  const reporter = terminalReporter({ isTTY, write: (text) => out.push(text) }, () => time);
  return {
    out,
    reporter,
    pass(ms: number) {
      time += ms;
    },
  };
}
