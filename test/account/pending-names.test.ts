import * as assert from "uvu/assert";
import { createPendingNames } from "../../services/account/pending-names.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";

const Names = suite("pending names");

const turn = () => new Promise(setImmediate);
const free = async () => {};

Names("are used by one registration at a time, and checked again after each wait", async () => {
  const pending = createPendingNames();
  const started: string[] = [];
  const works = ["first", "second", "third", "other"].map((name) => openWork(started, name));
  const [first, second, third, other] = works as [Work, Work, Work, Work];
  let checks = 0;
  const check = async () => void checks++;
  const runs = [
    pending.hold(["a", "b"], check, first.work),
    pending.hold(["b"], check, second.work),
    pending.hold(["c", "b"], check, third.work),
    pending.hold(["d"], check, other.work),
  ];
  await turn();
  assert.equal([started, checks], [["first", "other"], 0]);
  first.end();
  await turn();
  assert.equal([started, checks], [["first", "other", "second"], 2]);
  for (const { end } of works) end();
  await Promise.all(runs);
  assert.equal([started, checks], [["first", "other", "second", "third"], 3]);
});

type Work = ReturnType<typeof openWork>;

Names("end the wait of registrations whose name was taken meanwhile, and are free again after a failure", async () => {
  const pending = createPendingNames();
  const { work, end } = openWork();
  const first = pending.hold(["a"], free, work);
  const taken = pending.hold(["a"], () => Promise.reject(new Error("taken")), work).catch(({ message }) => message);
  end();
  await first;
  assert.is(await taken, "taken");
  const failed = pending.hold(["a"], free, () => Promise.reject(new Error("no"))).catch(({ message }) => message);
  assert.equal([await failed, await pending.hold(["a"], free, async () => "yes")], ["no", "yes"]);
});

Names.run();
