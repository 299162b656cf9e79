import * as assert from "uvu/assert";
import { mixOf, targetsOf } from "../../bench/growth/mix.ts";
import { suite } from "../support/suite.ts";

const Growth = suite("bench growth");

for (const authors of [1_000, 100_000]) {
  Growth(`asks ${authors} authors for other cold pages in each turn, and for the same hot ones`, () => {
    const paths = Array.from({ length: 20 }, (_, turn) => targetsOf(authors, turn).map(({ path }) => path));
    const cold = paths.flatMap((all) => all.filter((path) => path.includes("maxId")));
    assert.is(new Set(cold).size, 200_000);
    const hot = paths.map((all) => all.filter((path) => !path.includes("maxId")));
    assert.is(new Set(hot.flat()).size, 2_000);
    assert.is(new Set(cold.map((path) => path.split("/")[2])).size, authors);
  });
}

Growth("asks for a cold page with one request of ten, and for each of them at most once", () => {
  const { targets, order } = mixOf(100_000, 3);
  const cold = [...order].filter((index) => targets[index]?.path.includes("maxId"));
  assert.ok(Math.abs(cold.length / order.length - 0.1) < 0.005);
  assert.ok(new Set(cold).size > 0.95 * cold.length);
});

Growth.run();
