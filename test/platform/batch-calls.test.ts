import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { batchCalls } from "../../services/platform/batch-calls.ts";
import { suite } from "../support/suite.ts";

const Batches = suite("batches");

/** Batches whose work runs until the test ends it; each result is its item, doubled. */
function openBatches(options: Partial<Parameters<typeof batchCalls>[1]> = {}) {
  const started: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const add = batchCalls<number, number>(
    (items) => {
      started.push(items);
      return new Promise((resolve) => ends.push(() => resolve(items.map((item) => 2 * item))));
    },
    { maxSize: 3, ...options },
  );
  return { add, started, end: () => ends.shift()?.() };
}

const turn = () => new Promise(setImmediate);

Batches("contain the items of one moment, and then those that arrive while a batch is under way", async () => {
  const { add, started, end } = openBatches();
  const results = [1, 2].map(add);
  await turn();
  results.push(add(3));
  await turn();
  results.push(add(4));
  assert.equal(started, [[1, 2]]);
  end();
  await turn();
  assert.equal(started, [
    [1, 2],
    [3, 4],
  ]);
  end();
  assert.equal(await Promise.all(results), [2, 4, 6, 8]);
});

Batches("are no larger than allowed", async () => {
  const { add, started, end } = openBatches();
  const results = [1, 2, 3, 4].map(add);
  await turn();
  assert.equal(started, [[1, 2, 3]]);
  end();
  await turn();
  end();
  assert.equal(await Promise.all(results), [2, 4, 6, 8]);
});

Batches("start at intervals, but the first one and a full one at once", async () => {
  const intervalMs = 500;
  const starts: number[] = [];
  const add = batchCalls<number, number>(
    async (items) => {
      starts.push(performance.now());
      return items;
    },
    { maxSize: 3, minIntervalMs: () => intervalMs },
  );
  await add(1);
  const [first = 0] = starts;
  await Promise.all([1, 2, 3].map(add));
  assert.ok((starts[1] ?? 0) - first < intervalMs, `${starts}`);
  await add(1);
  // A timer may fire two milliseconds early: Node cuts the fraction off, and libuv counts from the beginning of its turn.
  assert.ok((starts[2] ?? 0) - (starts[1] ?? 0) >= intervalMs - 2, `${starts}`);
  await sleep(intervalMs);
  const before = performance.now();
  await add(1);
  assert.ok(performance.now() - before < intervalMs);
});

Batches("give each caller its own failure, or that of the whole batch, and continue", async () => {
  const add = batchCalls<number, number>(
    async (items) => {
      if (items.length === 2) throw new Error("both");
      return items.map((item) => (item === 1 ? Promise.reject(new Error("one")) : item));
    },
    { maxSize: 3 },
  );
  const outcome = (item: number) => add(item).catch(({ message }: Error) => message);
  assert.equal(await Promise.all([1, 2].map(outcome)), ["both", "both"]);
  assert.equal(await Promise.all([1, 2, 3].map(outcome)), ["one", 2, 3]);
});

Batches.run();
