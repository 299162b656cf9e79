import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { logChanges } from "../../services/platform/log-changes.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Changes = suite("changes in the log");

Changes("are written at once, and each state once", () => {
  const lines: boolean[] = [];
  const note = logChanges(false);
  for (const state of [false, true, true, false]) note(state, () => lines.push(state));
  assert.equal(lines, [true, false]);
});

Changes("are ten in a minute at most, and the last one is written", async () => {
  const lines: number[] = [];
  const note = logChanges(undefined, 300);
  for (let time = 0; time <= 1_000; time++) note(time % 2 === 1, () => lines.push(time));
  assert.equal(lines, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  note(false, () => lines.push(1_001));
  await eventually("the last state", async () => lines.length > 10);
  await sleep(50);
  assert.equal(lines.slice(10), [1_001]);
});

Changes.run();
