import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Slot, StatusSpool } from "../../cli/import/status-spool.ts";
import { suite } from "../support/suite.ts";

const Spool = suite("cli: status spool");

Spool("returns every message in any order, from memory and from disk, and leaves no file behind", () => {
  const directory = mkdtempSync(join(tmpdir(), "roost-test-"));
  const spool = new StatusSpool(64, directory);
  try {
    const messages = Array.from({ length: 50 }, (_, n) => Buffer.from(`${n} `.repeat(1 + (n % 20))));
    const slots = messages.map((message) => spool.add(message));
    const read = () => slots.toReversed().map((slot) => Buffer.from(spool.read(slot)));
    const before = read();
    for (const message of messages) spool.add(message);
    assert.equal([before, read()], [messages.toReversed(), messages.toReversed()]);
    // The open file has no name any more, except on Windows, so none is left when the spool is never closed.
    if (process.platform !== "win32") assert.equal(readdirSync(directory), []);
    spool.close();
    assert.equal(readdirSync(directory), []);
  } finally {
    spool.close();
    rmSync(directory, { recursive: true });
  }
});

Spool("returns messages of a long file in order, backwards, at random, and while others are added", () => {
  const spool = new StatusSpool(100_000);
  const messages = Array.from({ length: 2_000 }, (_, n) => randomBytes(n % 97 === 0 ? 90_000 : 1 + ((n * 37) % 400)));
  try {
    const slots = messages.map((message) => spool.add(message));
    const ascending = messages.map((_, index) => index);
    const orders = [ascending, ascending.toReversed(), ascending.map((index) => (index * 1_013) % messages.length)];
    for (const order of orders) {
      const wrong = order.filter((index) => !messages[index]?.equals(spool.read(slots[index] as Slot)));
      assert.equal(wrong, []);
    }
    for (const message of messages) {
      const slot = spool.add(message);
      assert.ok(message.equals(spool.read(slot)));
    }
    const again = messages.filter((message, index) => !message.equals(spool.read(slots[index] as Slot)));
    assert.is(again.length, 0);
  } finally {
    spool.close();
  }
});

Spool.run();
