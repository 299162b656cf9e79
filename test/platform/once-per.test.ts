import * as assert from "uvu/assert";
import { oncePer } from "../../services/platform/once-per.ts";
import { suite } from "../support/suite.ts";

const Once = suite("once per object");

Once("computes a value once for each object, and again after a failure", () => {
  const asked: object[] = [];
  const answer = oncePer((key: { value: number; fails?: boolean }) => {
    asked.push(key);
    if (key.fails) throw new Error("not yet");
    return key.value;
  });
  const [zero, full, failing] = [{ value: 0 }, { value: 1 }, { value: 2, fails: true }];
  assert.equal([answer(zero), answer(full), answer(full), answer(zero)], [0, 1, 1, 0]);
  assert.throws(() => answer(failing), "not yet");
  failing.fails = false;
  assert.is(answer(failing), 2);
  assert.equal(asked, [zero, full, failing, failing]);
});

Once.run();
