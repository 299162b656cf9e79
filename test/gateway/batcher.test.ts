import * as assert from "uvu/assert";
import { type BatcherOptions, createBatcher } from "../../gateway/cache/batches/batcher.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Batcher = suite("batches of keys");

/** A batcher whose batches the test answers. */
function batches(options?: BatcherOptions) {
  const sent: { keys: string[]; deadline: number; answer(): void; fail(): void }[] = [];
  const askUntil = createBatcher<string>(
    (keys, deadline) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(keys.map((key) => `${key}${sent.length}`));
        sent.push({ keys, deadline, answer, fail: () => reject(new Error("failed")) });
      }),
    // A batch that a test has not answered yet is not stalled.
    { stalledMs: 60_000, ...options },
  );
  const ask = (keys: readonly string[]) => askUntil(keys, 1_000);
  return { sent, ask, askUntil, keys: () => sent.map(({ keys }) => keys) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The turn after the one in which a batch has ended: then the next one is sent. */
async function turnAfterBatch(): Promise<void> {
  await turn();
  await turn();
}

Batcher("have each key once for all callers before they are sent, and no keys of later callers", async () => {
  const { sent, ask, keys } = batches();
  const early = [ask(["a"]), ask(["b", "a"]), ask([])];
  await turn();
  const late = [ask(["a"]), ask(["c", "c"])];
  await turn();
  assert.equal(keys(), [["a", "b"]]);
  sent[0]?.answer();
  assert.equal(await Promise.all(early), [["a1"], ["b1", "a1"], []]);
  await turnAfterBatch();
  assert.equal(sent[1]?.keys, ["a", "c"]);
  sent[1]?.answer();
  assert.equal(await Promise.all(late), [["a2"], ["c2", "c2"]]);
});

Batcher("can be joined without keys, and never when under way", async () => {
  const { sent, ask, askUntil, keys } = batches();
  const first = askUntil.join(1_000);
  await turn();
  const isOver = { first: false, second: false };
  const [asked, second] = [ask(["a"]), askUntil.join(2_000)];
  void first.then(() => (isOver.first = true));
  void second.then(() => (isOver.second = true));
  await turn();
  assert.equal(keys(), [[]]);
  sent[0]?.answer();
  await eventually("the next batch", async () => sent.length === 2);
  assert.equal([keys(), sent[1]?.deadline, isOver], [[[], ["a"]], 2_000, { first: true, second: false }]);
  sent[1]?.answer();
  assert.equal(await asked, ["a2"]);
  await second;
});

Batcher("are sent up to maxConcurrent at once, and no caller joins one that is under way", async () => {
  const { sent, ask, keys } = batches({ maxConcurrent: 2 });
  const early = [ask(["a"]), ask(["b"])];
  await turn();
  const late = ask(["a"]);
  await turn();
  const last = [ask(["a"]), ask(["c"])];
  await turn();
  assert.equal(keys(), [["a", "b"], ["a"]]);
  sent[1]?.answer();
  assert.equal(await late, ["a2"]);
  await turnAfterBatch();
  assert.equal(sent[2]?.keys, ["a", "c"]);
  sent[0]?.answer();
  sent[2]?.answer();
  assert.equal(await Promise.all([...early, ...last]), [["a3"], ["b3"], ["a3"], ["c3"]]);
});

Batcher("wait for the one under way, but at most stalledMs for one that hangs", async () => {
  const { sent, ask, keys } = batches({ stalledMs: 200 });
  const first = ask(["a"]);
  await turn();
  const second = ask(["b"]);
  await turn();
  assert.equal(keys(), [["a"]]);
  sent[0]?.answer();
  await first;
  await turnAfterBatch();
  assert.equal(keys(), [["a"], ["b"]]);

  // While the second hangs the third is sent; the fourth waits for the third, also when the second ends before.
  const third = ask(["c"]);
  await eventually("the third batch", async () => sent.length === 3);
  const fourth = ask(["d"]);
  sent[1]?.answer();
  await second;
  await turnAfterBatch();
  assert.equal(keys(), [["a"], ["b"], ["c"]]);
  sent[2]?.fail();
  assert.is(await third.catch((error: Error) => error.message), "failed");
  await turnAfterBatch();
  assert.equal(sent[3]?.keys, ["d"]);
  sent[3]?.answer();
  await fourth;
});

Batcher("include the keys that its callers ask for next, when others waited", async () => {
  const { sent, ask, keys } = batches();
  const first = ask(["a"]);
  await turn();
  const waiting = ask(["b"]);
  sent[0]?.answer();
  await first;
  // The client's next request comes with the next turn's input.
  await turn();
  const following = ask(["c"]);
  await turn();
  assert.equal(keys(), [["a"], ["b", "c"]]);
  sent[1]?.answer();
  await Promise.all([waiting, following]);
});

Batcher("fail for all their callers, and the next one is sent", async () => {
  for (const maxConcurrent of [1, 2, Number.POSITIVE_INFINITY]) {
    const { sent, ask } = batches({ maxConcurrent });
    const first = [ask(["a"]), ask(["b"])].map((asked) => asked.catch((error: Error) => error.message));
    await turn();
    sent[0]?.fail();
    assert.equal(await Promise.all(first), ["failed", "failed"]);
    const second = ask(["a"]);
    await turn();
    sent[1]?.answer();
    assert.equal(await second, ["a2"]);
  }
});

Batcher("have the latest deadline of their callers", async () => {
  const { sent, askUntil } = batches();
  const asked = [askUntil(["a"], 200), askUntil(["b"], 300), askUntil(["c"], 100)];
  await turn();
  const late = askUntil(["a"], 400);
  await turn();
  assert.is(sent[0]?.deadline, 300);
  sent[0]?.answer();
  await Promise.all(asked);
  await turnAfterBatch();
  assert.is(sent[1]?.deadline, 400);
  sent[1]?.answer();
  await late;
});

Batcher("are sent one after the other when their keys are too large for one", async () => {
  const { sent, ask, keys } = batches({ maxConcurrent: 2, size: { of: Number, max: 10 } });
  const asked = ["5", "4", "2", "12", "3", "7", "4"].map((key) => ask([key]));
  await turnAfterBatch();
  // A key that is too large by itself is a batch alone.
  assert.equal(keys(), [["5", "4"], ["2"]]);
  sent[0]?.answer();
  assert.equal(await Promise.all(asked.slice(0, 2)), [["52"], ["42"]]);
  await turnAfterBatch();
  assert.equal(keys().slice(2), [["12"]]);
  // What waits already is asked for once.
  const late = ask(["7"]);
  sent[1]?.answer();
  sent[2]?.answer();
  assert.equal(await Promise.all(asked.slice(2, 4)), [["23"], ["123"]]);
  await turnAfterBatch();
  await turn();
  assert.equal(keys().slice(3), [["3", "7"]]);
  for (const batch of sent.slice(3)) batch.answer();
  assert.equal(await Promise.all([...asked.slice(4), late]), [["34"], ["74"], ["42"], ["74"]]);
});

Batcher("are sent up to maxFull at once where they are full", async () => {
  const { sent, ask, keys } = batches({ maxConcurrent: 1, maxFull: 3, size: { of: Number, max: 10 } });
  const asked = ["5", "6", "7"].map((key) => ask([key]));
  for (let turns = 0; turns < 4; turns++) await turn();
  assert.equal(keys(), [["5"], ["6"]]);
  asked.push(...["8", "9"].map((key) => ask([key])));
  for (let turns = 0; turns < 4; turns++) await turn();
  assert.equal(keys(), [["5"], ["6"], ["7"]]);
  for (const batch of sent.slice()) batch.answer();
  await Promise.all(asked.slice(0, 3));
  for (let turns = 0; turns < 4; turns++) await turn();
  // The last one is not full.
  assert.equal(keys().slice(3), [["8"]]);
  sent[3]?.answer();
  await asked[3];
  await turnAfterBatch();
  sent[4]?.answer();
  assert.equal(await asked[4], ["95"]);
});

Batcher.run();
