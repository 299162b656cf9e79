import * as assert from "uvu/assert";
import { createConcurrencyLimit } from "../../services/platform/concurrency-limit.ts";
import { openWork } from "../support/open-work.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

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
