import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Measured } from "../../bench/load/load.ts";
import { zipfDraw } from "../../bench/load/zipf.ts";
import { judge } from "../../bench/trials/judge.ts";
import { table } from "../../bench/trials/table.ts";
import type { Trial } from "../../bench/trials/trial.ts";
import { trials } from "../../bench/trials/trials.ts";

const Figures = suite("bench figures");

const trial: Trial = {
  name: "a",
  title: "A",
  setting: "redis",
  targets: [],
  connections: 64,
  rivals: ["node:http", "monolith"],
  floor: { ratios: { "node:http": 0.7, monolith: 8 }, p99: 10, redisShare: 0.2 },
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

Figures("takes the median of the ratios of each round, not the ratio of the medians", () => {
  const rivals = new Map([["node:http" as const, [round(100), round(1_000), round(500)]]]);
  const row = judge(trial, { system: [round(90), round(300), round(400)], rivals });
  assert.is(row.ratios.get("node:http"), 0.8);
});

Figures("lists each floor that was missed", () => {
  const system = [round(690, 11, 2)];
  const rivals = new Map([
    ["node:http" as const, [round(1_000)]],
    ["monolith" as const, [round(100)]],
  ]);
  assert.equal(judge(trial, { system, rivals, redisShare: 0.3 }).missed, [
    "2 errors",
    "0.7 of node:http",
    "8 of monolith",
    "p99 ≤ 10 ms",
    "Redis commands ≤ 0.2 of requests",
  ]);
});

Figures("lists no missed floor when all are held", () => {
  const rivals = new Map([
    ["node:http" as const, [round(1_000)]],
    ["monolith" as const, [round(100)]],
  ]);
  const row = judge(trial, { system: [round(900)], rivals, redisShare: 0.1 });
  assert.equal(row.missed, []);
  assert.match(
    table([row]),
    /^\| A \| 900 \| 1\.0 \| 5\.0 \| 0\.90 \|  \| 9\.00 \|  \| 0\.100 Redis commands\/request \| held \|$/m,
  );
});

Figures("counts the floor of a rival that was not measured as missed", () => {
  assert.ok(judge(trial, { system: [round(900)], rivals: new Map() }).missed.includes("8 of monolith"));
});

Figures("counts the floor of a rival as missed that answered nothing or with errors", () => {
  for (const failed of [round(0), round(100, 5, 1)]) {
    const rivals = new Map([
      ["node:http" as const, [round(1_000)]],
      ["monolith" as const, [failed]],
    ]);
    const { missed } = judge(trial, { system: [round(900)], rivals });
    assert.equal(missed, ["nothing: monolith failed itself"]);
  }
});

Figures("counts more than one page query per author and flush as missed", () => {
  const outcome = (pageQueries: number) => ({
    system: [round(100)],
    rivals: new Map(),
    flushes: { count: 3, pageQueries, maxPageQueries: 30 },
  });
  const flushed = { ...trial, floor: {} };
  assert.equal(judge(flushed, outcome(30)).missed, []);
  assert.equal(judge(flushed, outcome(31)).missed, ["one page query per author and flush"]);
});

Figures("has a floor for every case, and measures every rival that a floor names", () => {
  assert.is(new Set(trials.map(({ name }) => name)).size, trials.length);
  for (const { name, floor, rivals } of trials) {
    assert.ok(Object.keys(floor).length > 0, name);
    assert.equal(
      Object.keys(floor.ratios ?? {}).filter((rival) => !rivals.some((other) => other === rival)),
      [],
      name,
    );
  }
});

Figures.run();
