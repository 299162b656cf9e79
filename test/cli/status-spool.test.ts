import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StatusSpool } from "../../cli/import/status-spool.ts";

const Spool = suite("cli: status spool");

Spool("gives back every message, from memory and from disk, in any order", () => {
  const spool = new StatusSpool(64);
  try {
    const messages = Array.from({ length: 50 }, (_, n) => Buffer.from(`${n} `.repeat(1 + (n % 20))));
    const slots = messages.map((message) => spool.add(message));
    for (const n of [49, 0, 25, 48, 1]) assert.equal(Buffer.from(spool.read(slots[n] as never)), messages[n]);
    const late = spool.add(Buffer.from("late"));
    assert.is(Buffer.from(spool.read(late)).toString(), "late");
    assert.equal(
      slots.map((slot) => Buffer.from(spool.read(slot))),
      messages,
    );
  } finally {
    spool.close();
  }
});

Spool("keeps what it gave back apart from what comes later", () => {
  const spool = new StatusSpool(8);
  try {
    const read = spool.read(spool.add(Buffer.from("first")));
    spool.add(Buffer.from("second"));
    assert.is(Buffer.from(read).toString(), "first");
  } finally {
    spool.close();
  }
});

Spool("leaves no file behind, even when it is never closed", () => {
  const directory = mkdtempSync(join(tmpdir(), "roost-test-"));
  try {
    const spool = new StatusSpool(8, directory);
    const slots = Array.from({ length: 10 }, (_, n) => spool.add(Buffer.from(`number ${n}`.slice(-8))));
    // Windows keeps the names of open files.
    if (process.platform !== "win32") assert.equal(readdirSync(directory), []);
    assert.is(Buffer.from(spool.read(slots[0] as never)).toString(), "number 0");
    spool.close();
    assert.equal(readdirSync(directory), []);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

Spool.run();
