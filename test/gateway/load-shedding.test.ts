import * as assert from "uvu/assert";
import { maxBatchItemsAtOnce, maxBytesOfBodies } from "../../gateway/http/limits/limits.ts";
import { createLoadShedding, type LoadShedding } from "../../gateway/http/load/load-shedding.ts";
import { keepBusy } from "../support/busy-turns.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";

const Shedding = suite("gateway load shedding");

let load: LoadShedding;
const shed = { value: 0 };

Shedding.before.each(() => {
  shed.value = 0;
  load = createLoadShedding({ maxConcurrent: 1, maxLoopDelayMs: 300 }, shed);
});
Shedding.after.each(() => load.close());

Shedding("reserves the last quarter of the budget of bodies for small ones", () => {
  const [uploads, other, form] = [load.bodies.open(), load.bodies.open(), load.bodies.open()];
  uploads.take(0.75 * maxBytesOfBodies);
  assert.throws(() => other.take(16 * 1024 + 1));
  form.take(16 * 1024);
  assert.is(shed.value, 1);
});

Shedding("runs the same number of batch items at once for each service", async () => {
  const [one, other] = [{}, {}];
  const started: string[] = [];
  const { work, end } = openWork(started, "one");
  const items = Array.from({ length: maxBatchItemsAtOnce + 5 }, () =>
    load.runBatchItem(one, false, async () => work()),
  );
  await load.runBatchItem(other, false, async () => void started.push("other"));
  assert.is(started.filter((name) => name === "one").length, maxBatchItemsAtOnce);
  end();
  await Promise.all(items);
  assert.is(started.length, maxBatchItemsAtOnce + 6);
});

Shedding("refuses from the second consecutive slow second, whatever came before, until one is not slow", async () => {
  const judged: boolean[] = [];
  let isNext = () => {};
  // Of the same interval and made later, it runs right behind the judgement.
  const timer = setInterval(() => {
    judged.push(load.isOverloaded());
    isNext();
  }, 1_000);
  const next = () => new Promise<void>((resolve) => (isNext = resolve));
  await next();
  const calmDown = keepBusy();
  await next();
  await next();
  calmDown();
  await next();
  if (judged.at(-1)) await next();
  clearInterval(timer);
  assert.equal([...judged.slice(0, 3), judged.at(-1)], [false, false, true, false]);
});

Shedding.run();
