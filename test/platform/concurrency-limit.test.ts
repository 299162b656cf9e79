import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createConcurrencyLimit } from "../../services/platform/concurrency-limit.ts";
import { refusalOf } from "../support/refusal.ts";

const ConcurrencyLimits = suite("concurrency limit");

/** A task that lasts until `end` is called. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

ConcurrencyLimits("runs and queues as many tasks as its limits say, and refuses the next one at once", async () => {
  const limit = createConcurrencyLimit(2, 3);
  const { work, end } = openWork();
  let running = 0;
  const runs = Array.from({ length: 5 }, () =>
    limit.run(() => {
      running++;
      return work();
    }),
  );
  await new Promise(setImmediate);
  assert.is(running, 2);
  const refusal = await refusalOf(limit.run(work));
  assert.equal([refusal.code, refusal.errorCode], ["ResourceExhausted", "TooManyRequests"]);
  end();
  await Promise.all(runs);
  assert.is(running, 5);
});

ConcurrencyLimits("passes a task's failure to its caller, and runs further tasks", async () => {
  const limit = createConcurrencyLimit(1, 1);
  const failed = await limit.run(() => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
  assert.equal([failed, await limit.run(async () => "yes")], ["no", "yes"]);
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
