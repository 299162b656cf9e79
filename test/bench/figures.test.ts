import * as assert from "uvu/assert";
import { goals } from "../../bench/goals.ts";
import type { Measured } from "../../bench/load/load.ts";
import { zipfDraw } from "../../bench/load/zipf.ts";
import { goalTable } from "../../bench/results/goal-table.ts";
import { caseNames, chooseTrials } from "../../bench/trials/choose-trials.ts";
import { quickPlan } from "../../bench/trials/plan.ts";
import { summarize } from "../../bench/trials/summarize.ts";
import { table } from "../../bench/trials/table.ts";
import type { Trial } from "../../bench/trials/trial.ts";
import { trials } from "../../bench/trials/trials.ts";
import { suite } from "../support/suite.ts";

const Figures = suite("bench figures");

const trial: Trial = {
  name: "a",
  title: "A",
  setting: "redis",
  targets: [],
  connections: 64,
  baselines: ["node:http", "monolith"],
};

function round(perSecond: number, p99 = 5, errors = 0): Measured {
  return { perSecond, p50: 1, p99, requests: perSecond, errors };
}

Figures("draws by Zipf's law, the first twice as often as the second, and repeats the same draw", () => {
  const draw = zipfDraw(1_000, 100_000);
  const share = (index: number) => draw.filter((drawn) => drawn === index).length / draw.length;
  const harmonic = Array.from({ length: 1_000 }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b);
  assert.ok(Math.abs(share(0) - 1 / harmonic) < 0.01);
  assert.ok(Math.abs(share(1) - 1 / 2 / harmonic) < 0.01);
  assert.ok(draw.some((index) => index > 990));
  assert.equal(draw, zipfDraw(1_000, 100_000));
});

const goalsOfA = {
  a: {
    "of node:http": { atLeast: 0.7 },
    "p99 of node:http's": { atMost: 1.3 },
    "Redis commands/request": { atMost: 0.2 },
  },
};

/** The baseline node:http with these rounds, the monolith with 100 requests a second. */
function baselinesOf(node: Measured[], monolith: Measured[] = [round(100)]) {
  return new Map([
    ["node:http" as const, node],
    ["monolith" as const, monolith],
  ]);
}

Figures("takes the median of the ratios of each round, not the ratio of the medians", () => {
  const system = [round(90, 4), round(300, 2), round(400, 9)];
  const { figures } = summarize(trial, {
    system,
    baselines: baselinesOf([round(100, 5), round(1_000, 1), round(500, 9)], system),
  });
  assert.is(figures["of node:http"], 0.8);
  assert.is(figures["p99 of node:http's"], 1);
  assert.is(figures["p99 ms"], 4);
});

Figures("says of each goal whether it is met, and shows the figure of the last run", () => {
  const row = summarize(trial, { system: [round(690, 6)], baselines: baselinesOf([round(1_000)]), redisShare: 0.3 });
  const last = { "of node:http": 0.5, "p99 ms": 1 };
  assert.equal(goalTable([{ row, last }], goalsOfA).split("\n").slice(2), [
    "| A | of node:http | 0.69 | 0.50 | ≥ 0.7 | missed |",
    "| A | p99 of node:http's | 1.20 |  | ≤ 1.3 | met |",
    "| A | Redis commands/request | 0.30 |  | ≤ 0.2 | missed |",
  ]);
});

Figures("shows the range of a figure's rounds beside its median", () => {
  const system = [round(500), round(900), round(600)];
  const row = summarize(trial, { system, baselines: baselinesOf([round(1_000), round(1_000), round(1_000)], system) });
  assert.match(
    goalTable([{ row, last: undefined }], goalsOfA),
    "| A | of node:http | 0.60 (0.50 to 0.90) |  | ≥ 0.7 | missed |",
  );
});

Figures("counts errors as missed, and says which goal was not measured", () => {
  const row = summarize(trial, { system: [round(900, 5, 2)], baselines: new Map() });
  const lines = goalTable([{ row, last: undefined }], goalsOfA);
  assert.match(lines, "| A | errors | 2.00 |  | ≤ 0 | missed |");
  assert.match(lines, "| A | of node:http |  |  | ≥ 0.7 | not measured |");
});

Figures("compares nothing with a baseline that answered nothing or with errors, and says so", () => {
  for (const failed of [round(0), round(100, 5, 1)]) {
    const { figures, notes } = summarize(trial, {
      system: [round(900)],
      baselines: baselinesOf([round(1_000)], [failed]),
    });
    assert.is(figures["of node:http"], 0.9);
    assert.is(figures["of monolith"], undefined);
    assert.equal(notes, ["monolith failed itself"]);
  }
});

Figures("shows a row with its ratios, and the processor time that counts", () => {
  const processor = { "gateway µs": 41.6, "account µs": 0.4 };
  const row = summarize(trial, {
    system: [round(900)],
    baselines: baselinesOf([round(1_000)]),
    redisShare: 0.1,
    processor,
  });
  const line = "| A | 900 | 1.00 | 5.00 | 0.90 |  | 9.00 |  | 0.10 Redis commands/request; gateway 41.6 µs |";
  assert.is(table([row]).split("\n")[2], line);
});

Figures("counts more than one page query per author and flush as missed", () => {
  const shown = (pageQueries: number) => {
    const flushes = { count: 3, pageQueries, maxPageQueries: 30 };
    const row = summarize({ ...trial, name: "flushes" }, { system: [round(100)], baselines: new Map(), flushes });
    return goalTable([{ row, last: undefined }]);
  };
  assert.match(shown(30), /page queries of those allowed \|.*\| met \|/);
  assert.match(shown(31), /page queries of those allowed \|.*\| missed \|/);
});

Figures("leave out what the plan says, unless it is named", () => {
  const { trials: run, others } = chooseTrials([], quickPlan);
  const names = [...run.map(({ name }) => name), ...others];
  assert.equal(caseNames.filter((name) => !names.includes(name)).sort(), [...quickPlan.leavesOut].sort());
  assert.equal(chooseTrials(["attacks"], quickPlan), { trials: [], others: ["attacks"] });
});

Figures("have a goal in every case, and measure every baseline that a goal names", () => {
  assert.is(new Set(trials.map(({ name }) => name)).size, trials.length);
  for (const { name, baselines } of trials) {
    const named = Object.keys(goals[name] ?? {});
    assert.ok(named.length > 0, name);
    const others = ["node:http", "Fastify", "monolith", "small dataset"].filter(
      (baseline) => !baselines.some((one) => one === baseline),
    );
    assert.equal(
      others.filter((baseline) => named.some((figure) => figure.includes(`of ${baseline}`))),
      [],
      name,
    );
  }
});

Figures.run();
