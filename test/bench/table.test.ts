import * as assert from "uvu/assert";
import { measure, type Outcome } from "../../bench/measure.ts";
import { type Figures, type Floor, NotSupported, type Row } from "../../bench/row.ts";
import { rows } from "../../bench/rows.ts";
import type { Side } from "../../bench/side.ts";
import { table } from "../../bench/table.ts";
import { suite } from "../support/suite.ts";

const Table = suite("bench table");

const never = () => Promise.reject(new Error("not measured here"));

function row(floor: Floor, prepare: Row["prepare"] = never): Row {
  return { name: "a", title: "A", unit: "of B", floor, prepare };
}

/** The lines of a table without its head. */
function lines(floor: Floor, ...outcomes: Outcome[]): string[] {
  return table([{ row: row(floor), outcomes }], ["Here", "old"])
    .split("\n")
    .slice(2);
}

const rounds = (...values: number[]): Outcome => ({ rounds: values.map((value) => ({ value })) });
const plan = { load: never, rounds: 2, seconds: 1, isLong: false };
const sides = ["here", "old"].map((label) => ({ label })) as Side[];

Table("shows the median of each figure with the range of its rounds", () => {
  const shown: Figures[] = [
    { value: 0.9, p99: 4, p99Ratio: 0.8, perSecond: 900, processorMs: 0.1 },
    { value: 0.3, p99: 2, p99Ratio: 2, perSecond: 12_345, processorMs: 0.5 },
    { value: 0.8, p99: 90, p99Ratio: 1, perSecond: 4_000, processorMs: 0.04 },
  ];
  assert.equal(lines({ atLeast: 0.5, p99AtMost: 3 }, { rounds: shown }), [
    "| A | of B | ≥ 0.5, p99 ≤ 3 × | 0.80 (0.30 to 0.90) | 4.00 (1.00 ×) | 4,000; 0.10 ms | met |",
  ]);
});

Table("shows another commit beside this one, and judges this one alone", () => {
  assert.equal(lines({ atMost: 3 }, rounds(4.5), rounds(2)), ["| A | of B | ≤ 3 | 4.50 |  |  | 2.00 |  |  | missed |"]);
});

Table("counts a figure at its floor as met, and one beyond it or a higher p99 as missed", () => {
  const isMet = (floor: Floor, figures: Figures) => lines(floor, { rounds: [figures] })[0]?.endsWith("| met |");
  assert.equal(
    [
      isMet({ atLeast: 0.5 }, { value: 0.5 }),
      isMet({ atLeast: 0.5 }, { value: 0.49 }),
      isMet({ atMost: 5 }, { value: 5 }),
      isMet({ atMost: 5 }, { value: 5.1 }),
      isMet({ atMost: 5 }, { value: Number.NaN }),
      isMet({ atLeast: 0.5, p99AtMost: 3 }, { value: 0.9, p99Ratio: 3 }),
      isMet({ atLeast: 0.5, p99AtMost: 3 }, { value: 0.9, p99Ratio: 3.1 }),
    ],
    [true, false, true, false, false, true, false],
  );
});

Table("says why a side has no figure, in one cell", () => {
  const reason = "failed: Error: a | b\n  c";
  assert.equal(lines({ atLeast: 1 }, { reason, isFailure: true }), [
    "| A | of B | ≥ 1 | failed: Error: a b c |  |  |  |",
  ]);
});

Table("measures the sides in turns, and ends what a row has prepared in reverse order", async () => {
  const events: string[] = [];
  const measured = row({}, async ({ label }, { defer }) => {
    defer(() => events.push(`end ${label}`));
    return async () => ({ value: events.push(label) });
  });
  const outcomes = await measure(measured, sides, plan);
  assert.equal(events, ["here", "old", "here", "old", "end old", "end here"]);
  assert.equal(outcomes, [{ rounds: [{ value: 1 }, { value: 3 }] }, { rounds: [{ value: 2 }, { value: 4 }] }]);
  events.length = 0;
  await measure({ ...measured, isOnce: true }, sides, plan);
  assert.equal(events, ["here", "old", "end old", "end here"]);
});

Table("continues with the other side where one fails or does not support a row", async () => {
  let isFirst = true;
  const fails = row({}, async ({ label }) => {
    if (label === "old") throw new NotSupported();
    return async () => {
      if (!isFirst) throw new Error("broken");
      isFirst = false;
      return { value: 1 };
    };
  });
  assert.equal(await measure(fails, sides, plan), [
    { reason: "failed: Error: broken", isFailure: true },
    { reason: "not supported", isFailure: false },
  ]);
});

Table("has a name of its own and a floor for each row", () => {
  assert.is(new Set(rows.map(({ name }) => name)).size, rows.length);
  for (const { name, floor } of rows) assert.ok(floor.atLeast !== undefined || floor.atMost !== undefined, name);
});

Table.run();
