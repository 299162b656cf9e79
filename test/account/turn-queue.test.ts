import { hash, verify } from "@node-rs/argon2";
import * as assert from "uvu/assert";
import { createPasswords, isWeaker } from "../../services/account/hashing/passwords.ts";
import { createTurnQueue } from "../../services/account/hashing/turn-queue.ts";
import { poolThreads } from "../../services/platform/thread-pool.ts";
import { openWork } from "../support/open-work.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Queue = suite("the queue for hashing");

/** Milliseconds on a clock that only these tests advance. */
let now = 0;
const realNow = performance.now;
Queue.before(() => void (performance.now = () => now));
Queue.after(() => void (performance.now = realNow));

const busy = async (milliseconds: number) => {
  now += milliseconds;
};

Queue("accepts all calls until it has measured how long one takes", async () => {
  const queue = createTurnQueue({ maxConcurrent: 1, maxWaitMs: 1 });
  const { work, end } = openWork();
  const turns = Array.from({ length: 50 }, () => queue.run(work));
  end();
  await Promise.all(turns);
});

Queue("refuses calls while those that wait would take longer than the limit, and accepts more after that", async () => {
  const queue = createTurnQueue({ maxConcurrent: 2, maxWaitMs: 100 });
  // A turn takes 50 ms from here on: at most 4 wait for 2 at a time.
  await queue.run(() => busy(50));
  const { work, end } = openWork();
  const outcomes = Array.from({ length: 12 }, () => queue.run(work));
  const refused = outcomes.slice(6).map((turn) => refusalOf(turn));
  assert.equal(await refused[0], {
    code: "ResourceExhausted",
    errorCode: "TooManyRequests",
    message: "Too many requests at once.",
    fields: [],
  });
  assert.is((await Promise.all(refused)).filter(({ code }) => code === "ResourceExhausted").length, 6);
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

Queue("does not run calls whose caller has left while they waited", async () => {
  const queue = createTurnQueue({ maxConcurrent: 1, maxWaitMs: 1_000 });
  const { work, end } = openWork();
  const caller = new AbortController();
  let isDone = false;
  const first = queue.run(work);
  const left = queue.run(async () => {
    isDone = true;
  }, caller.signal);
  caller.abort();
  end();
  await first;
  assert.is((await refusalOf(left)).code, "Unavailable");
  assert.not.ok(isDone);
});

Queue("runs further calls after one that failed", async () => {
  const queue = createTurnQueue({ maxConcurrent: 1, maxWaitMs: 1_000 });
  const failed = await queue.run(async () => Promise.reject(new Error("no"))).catch((error) => error);
  assert.is((failed as Error).message, "no");
  assert.is(await queue.run(async () => 7), 7);
});

Queue("runs one turn more than the pool has threads, so that none waits for the event loop", async () => {
  const { inTurn, depth } = await createPasswords({ memory: 64, passes: 1, maxWaitMs: 60_000 });
  const { work, end } = openWork();
  const turns = Array.from({ length: 20 }, () => inTurn(new AbortController().signal, work));
  await new Promise(setImmediate);
  assert.is(depth().running, poolThreads() + 1);
  end();
  await Promise.all(turns);
});

Queue("recognises a hash that was made with less work than configured", async () => {
  const wanted = { memory: 64, passes: 2 };
  const { inTurn } = await createPasswords({ ...wanted, maxWaitMs: 1_000 });
  const made = await inTurn(new AbortController().signal, ({ hash }) => hash("x"));
  assert.not.ok(isWeaker(made, wanted));
  assert.not.ok(isWeaker(made, { memory: 32, passes: 1 }));
  assert.ok(isWeaker(made, { memory: 65, passes: 2 }));
  assert.ok(isWeaker(made, { memory: 64, passes: 3 }));
  assert.ok(isWeaker("$2b$10$abcdefghijklmnopqrstuv", wanted));
});

Queue("refuses a password after one hash of each cost, whatever the cost of the user's own hash", async () => {
  const own = { memory: 64, passes: 2, maxWaitMs: 1_000 };
  const computed: string[] = [];
  const recording: Parameters<typeof createPasswords>[2] = {
    hash(password, options) {
      computed.push(`m=${options?.memoryCost},t=${options?.timeCost},p=${options?.parallelism}`);
      return hash(password, options);
    },
    verify(phc, password) {
      computed.push(`${phc as string}`.split("$")[3] ?? "");
      return verify(phc, password);
    },
  };
  const { inTurn } = await createPasswords(own, undefined, recording);
  const costs = ["m=32,t=1,p=1", "m=64,t=2,p=1", "m=128,t=3,p=1"];
  const weak = await hash("x", { memoryCost: 32, timeCost: 1, parallelism: 1 });
  const strong = await hash("x", { memoryCost: 128, timeCost: 3, parallelism: 1 });
  const usual = await hash("x", { memoryCost: 64, timeCost: 2, parallelism: 1 });
  await inTurn(new AbortController().signal, async ({ compare }) => {
    for (const stored of [undefined, weak, usual, strong]) {
      computed.length = 0;
      assert.is(await compare("y", stored, costs), "wrong");
      assert.equal(computed.toSorted(), costs.toSorted(), stored);
    }
    computed.length = 0;
    assert.is(await compare("x", weak, costs), "outdated");
    assert.equal(computed, costs.slice(0, 1));
  });
});

Queue("compares a password in NFC and as it was typed, with as many hashes for each user", async () => {
  let computed = 0;
  const counting: Parameters<typeof createPasswords>[2] = {
    hash: (...given) => (computed++, hash(...given)),
    verify: (...given) => (computed++, verify(...given)),
  };
  const cheap = { memoryCost: 32, timeCost: 1, parallelism: 1 };
  const { inTurn } = await createPasswords({ memory: 32, passes: 1, maxWaitMs: 1_000 }, undefined, counting);
  const [composed, typed] = ["Zo\u00eb at sea", "Zoe\u0308\u00a0at sea"];
  const [older, other] = [await hash(typed, cheap), await hash("other", cheap)];
  await inTurn(new AbortController().signal, async ({ hash: make, compare }) => {
    assert.is(await compare(composed, await make(typed)), "right");
    assert.is(await compare(typed, await make(composed)), "right");
    assert.is(await compare(typed, older), "outdated");
    assert.is(await compare(composed, older), "wrong");
    const costs = ["m=32,t=1,p=1", "m=64,t=1,p=1"];
    for (const [password, expected] of [
      [composed, 2],
      [typed, 4],
    ] as const) {
      for (const stored of [undefined, other]) {
        computed = 0;
        assert.is(await compare(password, stored, costs), "wrong");
        assert.is(computed, expected);
      }
    }
  });
});

Queue("accepts no password for an account without a hash", async () => {
  const { inTurn } = await createPasswords({ memory: 64, passes: 1, maxWaitMs: 1_000 });
  await inTurn(new AbortController().signal, async ({ hash, isRight }) => {
    assert.ok(await isRight("x", await hash("x")));
    assert.not.ok(await isRight("y", await hash("x")));
    assert.not.ok(await isRight("", undefined));
  });
});

Queue.run();
