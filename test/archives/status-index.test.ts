import * as assert from "uvu/assert";
import { StatusIndex } from "../../cli/as-user/status-index.ts";
import { suite } from "../support/suite.ts";
import { valuesOf } from "../support/values.ts";

const Index = suite("archives: status index");

Index("returns every status once, oldest first, with its last record", () => {
  const index = new StatusIndex();
  const orders = Array.from({ length: 5_000 }, (_, number) => BigInt((number * 7_919) % 5_000) << 40n);
  for (const [number, order] of orders.entries()) index.add(order, `${order}`, { offset: 2 ** 33 + number, length: 1 });
  index.add(7n << 40n, `${7n << 40n}`, { offset: 5, length: 2 });
  // Another status of the same time.
  index.add(8n << 40n, "other", { offset: 6, length: 3 });
  const sorted = [...index.sorted()];
  assert.is(sorted.length, 5_001);
  assert.equal(sorted[7], { offset: 5, length: 2 });
  assert.equal(new Set(sorted.slice(8, 10).map(({ length }) => length)), new Set([1, 3]));
  assert.equal(
    sorted.slice(10).map(({ offset }) => orders[offset - 2 ** 33]),
    Array.from({ length: 4_991 }, (_, number) => BigInt(number + 9) << 40n),
  );
});

Index("returns the last record of a status whose records have different times", () => {
  const index = new StatusIndex();
  const ids = ["a", "b", "a", "c", "b", "a"];
  const orders = [9n, 1n, 1n, 5n, 8n, 5n];
  for (const [offset, id] of ids.entries()) index.add(orders[offset] as bigint, id, { offset, length: 1 });
  assert.equal(valuesOf([...index.sorted()], "offset"), [3, 5, 4]);
});

Index("sorts by all 64 bits", () => {
  const index = new StatusIndex();
  for (const [offset, order] of [2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 32n, 0n, 2n ** 32n - 1n].entries()) {
    index.add(order, `${order}`, { offset, length: 1 });
  }
  assert.equal(valuesOf([...index.sorted()], "offset"), [3, 4, 2, 1, 0]);
});

Index("has a limit for the number of records", () => {
  const index = new StatusIndex(2);
  const add = () => index.add(1n, "1", { offset: 0, length: 1 });
  add();
  add();
  assert.throws(add, /^it holds more than 2 statuses$/);
});

Index.run();
