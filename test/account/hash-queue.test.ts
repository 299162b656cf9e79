import * as assert from "uvu/assert";
import { createTurnQueue } from "../../services/account/hashing/passwords.ts";
import { openWork } from "../support/open-work.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Queue = suite("the queue for hashing");

/** Milliseconds on a clock that only these tests advance. */
let now = 0;
const realNow = performance.now;
Queue.before(() => void (performance.now = () => now));
Queue.after(() => void (performance.now = realNow));

const busy = async (milliseconds: number) => void (now += milliseconds);

Queue("refuses calls while those that wait would take longer than the limit, and accepts more after that", async () => {
  const queue = createTurnQueue({ maxConcurrent: 2, maxWaitMs: 100 });
  // A turn takes 50 ms from here on: at most 4 wait for 2 at a time.
  await queue.run(() => busy(50));
  const { work, end } = openWork();
  const outcomes = Array.from({ length: 12 }, () => queue.run(work));
  const refused = await Promise.all(outcomes.slice(6).map((turn) => refusalOf(turn)));
  assert.ok(refused.every(({ code }) => code === "ResourceExhausted"));
  end();
  await Promise.all(outcomes.slice(0, 6));
  assert.is(await queue.run(async () => "taken"), "taken");
});

Queue("adapts its estimate to short calls after a long one", async () => {
  const queue = createTurnQueue({ maxConcurrent: 1, maxWaitMs: 40 });
  await queue.run(() => busy(50));
  for (let turn = 0; turn < 100; turn++) await queue.run(async () => {});
  const { work, end } = openWork();
  const turns = Array.from({ length: 10 }, () => queue.run(work));
  end();
  await Promise.all(turns);
});

Queue.run();
