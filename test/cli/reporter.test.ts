import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import * as assert from "uvu/assert";
import { type Slot, StatusSpool } from "../../cli/import/status-spool.ts";
import { terminalReporter } from "../../cli/reporter.ts";
import { useFolder } from "../support/folder.ts";
import { suite } from "../support/suite.ts";

const Reporter = suite("cli: reporter");

Reporter("redraws a bar on a terminal at most ten times a second, with the rate and the time left", () => {
  const { out, reporter, pass } = reporterOnTerminal();
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

Reporter("writes each refusal in place of the bar, without control characters, and marks of direction as codes", () => {
  const { out, reporter } = reporterOnTerminal();
  reporter.refused("a\x1b[2J.json[1]", "no\nway \u202eb\u2066c\u2069 \u200f\u061cd\u200b");
  const refusal = "a\ufffd[2J.json[1]: no\ufffdway \\u202eb\\u2066c\\u2069 \\u200f\\u061cd\u200b\n";
  assert.equal(out, ["\r\x1b[K", refusal]);
});

Reporter.run();

function reporterOnTerminal() {
  const out: string[] = [];
  let time = 1_000_000;
  const reporter = terminalReporter({ isTTY: true, write: (text: string) => out.push(text) }, () => time);
  return { out, reporter, pass: (ms: number) => (time += ms) };
}

const Spool = suite("cli: status spool");
const { path: directory } = useFolder(Spool);

Spool("returns every message in any order, from memory and from its file, of which nothing is left behind", () => {
  const spool = new StatusSpool(100_000, directory);
  const messages = Array.from({ length: 2_000 }, (_, n) => randomBytes(n % 97 === 0 ? 90_000 : 1 + ((n * 37) % 400)));
  try {
    const slots = messages.map((message) => spool.add(message));
    const ascending = messages.map((_, index) => index);
    const orders = [ascending, ascending.toReversed(), ascending.map((index) => (index * 1_013) % messages.length)];
    for (const order of orders) {
      const wrong = order.filter((index) => !messages[index]?.equals(spool.read(slots[index] as Slot)));
      assert.equal(wrong, []);
    }
    for (const message of messages) assert.ok(message.equals(spool.read(spool.add(message))));
    // The open file has no name any more, except on Windows, so none is left when the spool is never closed.
    if (process.platform !== "win32") assert.equal(readdirSync(directory), []);
    spool.close();
    assert.equal(readdirSync(directory), []);
  } finally {
    spool.close();
  }
});

Spool.run();
