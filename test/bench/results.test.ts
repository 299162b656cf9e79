import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { barsOf, terminalBars } from "../../bench/results/bars.ts";
import { compareWithLastRun } from "../../bench/results/last-run.ts";
import type { Row } from "../../bench/results/row.ts";
import { svgBars } from "../../bench/results/svg-bars.ts";
import { suite } from "../support/suite.ts";

const Results = suite("bench results against the last run");
const folder = mkdtempSync(join(tmpdir(), "roost-results-"));
Results.after(() => rmSync(folder, { recursive: true }));

const figures = (perSecond: number, p99: number) => ({ "requests/s": perSecond, "p99 ms": p99 });
const row = (name: string, perSecond: number, p99 = 2.5): Row => ({
  name,
  title: name,
  figures: figures(perSecond, p99),
});

Results("compare each case with its own last measurement, though others were measured since", () => {
  const file = join(folder, "new/last.json");
  assert.equal(
    compareWithLastRun([row("a", 100), row("b", 10)], file).map(({ last }) => last),
    [undefined, undefined],
  );
  compareWithLastRun([row("b", 20)], file);
  const compared = compareWithLastRun([row("a", 150), row("b", 15)], file);
  assert.equal(
    compared.map(({ row, last }) => [row.figures["requests/s"], last?.["requests/s"]]),
    [
      [150, 100],
      [15, 20],
    ],
  );
});

Results("replace a file of the last run that cannot be read", () => {
  const file = join(folder, "broken.json");
  writeFileSync(file, "{");
  assert.is(compareWithLastRun([row("a", 1)], file)[0]?.last, undefined);
  assert.equal(JSON.parse(readFileSync(file, "utf8")), { a: figures(1, 2.5) });
});

Results("are drawn as bars, the longer one of each case in full length", () => {
  const bars = barsOf([
    { row: row("a", 1_500, 2), last: figures(3_000, 1) },
    { row: row("new <b>", 5, 9.75), last: undefined },
  ]);
  assert.is(
    terminalBars(bars, 4),
    [
      "a        now   ██    1,500/s, p99 2.0 ms, −50 %",
      "         last  ████  3,000/s, p99 1.0 ms",
      "new <b>  now   ████  5/s, p99 9.8 ms",
    ].join("\n"),
  );
  const svg = svgBars(bars, "here & now");
  assert.equal(
    [...svg.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => width),
    ["200.0", "400.0", "400.0"],
  );
  assert.match(svg, "here &amp; now");
  assert.match(svg, "new &lt;b>");
});

Results.run();
