import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StatusSpool } from "../../cli/import/status-spool.ts";

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

Spool.run();
