import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createGate } from "../../services/platform/gate.ts";
import { refusalOf } from "../support/refusal.ts";

const Gates = suite("gate");

/** Work that lasts until it is told to end. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

Gates("lets so many run, so many wait, and turns the next one away at once", async () => {
  const gate = createGate(2, 3);
  const { work, end } = openWork();
  let running = 0;
  const runs = Array.from({ length: 5 }, () =>
    gate.run(() => {
      running++;
      return work();
    }),
  );
  await new Promise(setImmediate);
  assert.is(running, 2);
  const refusal = await refusalOf(gate.run(work));
  assert.equal([refusal.code, refusal.errorCode], ["ResourceExhausted", "TooManyRequests"]);
  end();
  await Promise.all(runs);
  assert.is(running, 5);
});

Gates("goes on after work that fails, and hands its failure to whoever asked", async () => {
  const gate = createGate(1, 1);
  const failed = await gate.run(() => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
  assert.equal([failed, await gate.run(async () => "yes")], ["no", "yes"]);
});

Gates.run();
