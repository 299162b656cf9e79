import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { batchCalls } from "../../services/platform/batch-calls.ts";
import { createConcurrencyLimit } from "../../services/platform/concurrency-limit.ts";
import { createKeyedQueue } from "../../services/platform/keyed-queue.ts";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { openWork } from "../support/open-work.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Batches = suite("batches");

const turn = () => new Promise(setImmediate);

Batches("are no larger than allowed", async () => {
  const started: (readonly number[])[] = [];
  const { work, end } = openWork();
  const add = batchCalls<number, number>(
    async (items) => {
      started.push(items);
      await work();
      return items.map((item) => 2 * item);
    },
    { maxSize: 3 },
  );
  const results = [1, 2, 3, 4].map(add);
  await turn();
  assert.equal(started, [[1, 2, 3]]);
  end();
  assert.equal(await Promise.all(results), [2, 4, 6, 8]);
  assert.equal(started, [[1, 2, 3], [4]]);
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

Batches.run();

const ConcurrencyLimits = suite("concurrency limit");

ConcurrencyLimits("runs and queues as many tasks as its limits say, and refuses the next one at once", async () => {
  const limit = createConcurrencyLimit(2, 3);
  const started: string[] = [];
  const { work, end } = openWork(started);
  const runs = Array.from({ length: 5 }, () => limit.run(work));
  await new Promise(setImmediate);
  assert.is(started.length, 2);
  const refusal = await refusalOf(limit.run(work));
  assert.equal([refusal.code, refusal.errorCode], ["ResourceExhausted", "TooManyRequests"]);
  end();
  await Promise.all(runs);
  assert.is(started.length, 5);
});

ConcurrencyLimits("does not run a task whose caller has left while it waited", async () => {
  const limit = createConcurrencyLimit(1, 2);
  const { work, end } = openWork();
  const caller = new AbortController();
  const ran: string[] = [];
  const first = limit.run(work);
  const left = refusalOf(limit.run(async () => ran.push("left"), caller.signal));
  const stays = limit.run(async () => ran.push("stays"), new AbortController().signal);
  caller.abort();
  end();
  assert.is((await left).code, "Unavailable");
  await Promise.all([first, stays]);
  assert.equal(ran, ["stays"]);
});

ConcurrencyLimits.run();

const Queues = suite("keyed queue");
const limits = { maxPerOwner: 2, maxWaiting: 3 };
const later = () => performance.now() + 60_000;

Queues("runs work of one key in order, and of other keys at the same time", async () => {
  const queue = createKeyedQueue(limits);
  const started: string[] = [];
  const [first, second, other] = ["first", "second", "other"].map((name) => openWork(started, name));
  const runs = [
    queue.run([1n], later(), first?.work as never),
    queue.run([1n, 2n], later(), second?.work as never),
    queue.run([3n, 2n], later(), other?.work as never),
  ];
  await turn();
  assert.equal([started, queue.waiting()], [["first", "other"], 1]);
  for (const { end } of [first, second, other] as { end(): void }[]) end();
  await Promise.all(runs);
  assert.equal([started, queue.waiting()], [["first", "other", "second"], 0]);
});

Queues("lets owners take turns for a key, however much work one of them has", async () => {
  const queue = createKeyedQueue({ maxPerOwner: 2, maxWaiting: 5 });
  const started: string[] = [];
  const { work, end } = openWork(started, "first");
  const run = (name: string, keys: bigint[]) => queue.run(keys, later(), async () => void started.push(name));
  const runs = [
    queue.run([5n, 1n], later(), work),
    run("5 once more", [5n, 1n]),
    run("5 a third time", [5n, 1n]),
    run("1 itself", [1n]),
    run("7", [7n, 1n]),
  ];
  assert.is((await refusalOf(run("5 too often", [5n, 1n]))).code, "ResourceExhausted");
  const again = run("1 once more", [1n]);
  end();
  await Promise.all([...runs, again]);
  assert.equal(started, ["first", "1 itself", "7", "5 once more", "1 once more", "5 a third time"]);
});

Queues("gives no key to work that waits for its owner's other work, while others wait for the key", async () => {
  const queue = createKeyedQueue(limits);
  const started: string[] = [];
  const { work, end } = openWork(started, "5");
  const runs = [queue.run([5n], later(), work), queue.run([5n, 1n], later(), async () => void started.push("5, of 1"))];
  await queue.run([1n], performance.now() + 1_000, async () => void started.push("1"));
  end();
  await Promise.all(runs);
  assert.equal(started, ["5", "1", "5, of 1"]);
});

Queues("locks keys in ascending order, so that opposite orders do not deadlock", async () => {
  const queue = createKeyedQueue(limits);
  const results = await Promise.all([
    queue.run([1n, 2n], later(), async () => turn()),
    queue.run([2n, 1n, 2n], later(), async () => turn()),
    queue.run([2n], later(), async () => turn()),
  ]);
  assert.is(results.length, 3);
});

Queues("runs further work after a failure", async () => {
  const queue = createKeyedQueue(limits);
  const failed = queue.run([1n], later(), () => Promise.reject(new Error("no"))).catch(({ message }) => message);
  assert.equal([await failed, await queue.run([1n], later(), async () => "yes")], ["no", "yes"]);
});

Queues("refuses work that cannot start before its deadline, and runs the work after it", async () => {
  const queue = createKeyedQueue(limits);
  const { work, end } = openWork();
  const first = queue.run([1n], later(), work);
  const late = refusalOf(queue.run([0n, 1n], performance.now() + 5, async () => {}));
  const next = queue.run([0n], later(), async () => "next");
  assert.is((await late).code, "Aborted");
  assert.is(await next, "next");
  const behind = queue.run([1n], later(), async () => "behind");
  end();
  await first;
  assert.is(await behind, "behind");
});

Queues("refuses work above the limits of one key and of all keys", async () => {
  const refused = { value: 0 };
  const queue = createKeyedQueue(limits, refused);
  const { work, end } = openWork();
  const codeOf = async (key: bigint) => (await refusalOf(queue.run([key], later(), work))).code;
  const runs = [1n, 1n, 1n, 2n, 2n].map((key) => queue.run([key], later(), work));
  assert.equal([await codeOf(1n), await codeOf(2n)], ["ResourceExhausted", "ResourceExhausted"]);
  assert.equal([refused.value, queue.waiting()], [2, 3]);
  end();
  await Promise.all(runs);
});

Queues.run();

const Timeout = suite("a time limit");

Timeout("does not count time in which the process could not read the answer", async () => {
  const found = withTimeout(20, stat("."));
  const start = performance.now();
  while (performance.now() - start < 500);
  assert.ok((await found).isDirectory());
});

Timeout("does not count time in which the process could not write the request", async () => {
  const answered = withTimeout(50, new Promise((resolve) => setImmediate(() => setTimeout(resolve, 5, "late"))));
  const start = performance.now();
  while (performance.now() - start < 500);
  assert.is(await answered, "late");
});

Timeout("ends the wait for an answer that does not come, and passes the error of the work on", async () => {
  const errorOf = (work: Promise<unknown>) => withTimeout(20, work).catch((error: Error) => error.message);
  assert.is(await errorOf(new Promise(() => {})), "no answer within 20 ms");
  assert.is(await errorOf(Promise.reject(new Error("refused"))), "refused");
});

Timeout.run();
