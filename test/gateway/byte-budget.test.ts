import * as assert from "uvu/assert";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import { type BudgetRules, type ByteShare, createByteBudget } from "../../gateway/http/load/byte-budget.ts";
import { suite } from "../support/suite.ts";

const Budget = suite("a budget of bytes");

function open(rules: BudgetRules) {
  const shed = { value: 0 };
  return { budget: createByteBudget(rules, shed), shed };
}

/** Whether a share gets so many bytes; else it is refused by 503. */
function gets(share: ByteShare, bytes: number): boolean {
  try {
    share.take(bytes);
    return true;
  } catch (error) {
    assert.is(error instanceof PublicError && error.status, 503);
    return false;
  }
}

Budget("allows all bytes and no more, counts refusals, and gets back the bytes of a request", () => {
  const { budget, shed } = open({ max: 100 });
  const [first, second] = [budget.open(), budget.open()];
  assert.equal([gets(first, 60), gets(second, 40), gets(second, 1)], [true, true, false]);
  assert.equal([budget.held(), shed.value], [100, 1]);
  first.release();
  assert.equal([budget.held(), gets(second, 60)], [40, true]);
});

Budget("counts no byte that is taken after the request was answered", () => {
  const { budget } = open({ max: 100 });
  const share = budget.open();
  share.release();
  assert.ok(gets(share, 90));
  assert.is(budget.held(), 0);
  assert.ok(gets(budget.open(), 100));
});

Budget("leaves its last quarter to small requests", () => {
  const { budget } = open({ max: 100, small: 10 });
  const large = budget.open();
  assert.equal([gets(large, 75), gets(large, 1), gets(budget.open(), 11)], [true, false, false]);
  assert.equal([gets(budget.open(), 10), gets(budget.open(), 10)], [true, true]);
  // One that grows is large at last.
  const growing = budget.open();
  assert.equal([gets(growing, 5), gets(growing, 6), budget.held()], [true, false, 100]);
});

Budget("lets an older request take the bytes of the youngest, which gets no more", () => {
  const { budget, shed } = open({ max: 100, yields: true });
  const [oldest, middle, youngest] = [budget.open(), budget.open(), budget.open()];
  for (const share of [youngest, middle, oldest]) assert.ok(gets(share, 30));
  assert.ok(gets(oldest, 30));
  assert.is(budget.held(), 90);
  assert.equal([gets(youngest, 1), gets(middle, 10), shed.value], [false, true, 1]);
  assert.ok(gets(oldest, 40));
  assert.equal([gets(middle, 1), budget.held()], [false, 100]);
  youngest.release();
  assert.is(budget.held(), 100);
  // Its own bytes make no room for it.
  assert.equal([gets(oldest, 1), budget.held()], [false, 100]);
});

Budget("takes no bytes from a younger request whose reply is being sent", () => {
  const { budget } = open({ max: 100, yields: true });
  const [older, sending, younger] = [budget.open(), budget.open(), budget.open()];
  for (const share of [older, sending, younger]) assert.ok(gets(share, 30));
  sending.protect();
  assert.ok(gets(older, 20));
  assert.equal([gets(younger, 1), gets(older, 30), budget.held()], [false, false, 80]);
});

Budget.run();
