import * as assert from "uvu/assert";
import { createPasswords, createTurnQueue } from "../../services/account/hashing/passwords.ts";
import { releaseOnce } from "../../services/account/jobs/worker.ts";
import { createPendingNames } from "../../services/account/registrations.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool, type Pool } from "../../services/platform/postgres/pool.ts";
import { poolThreads } from "../../services/platform/thread-pool.ts";
import { openWork } from "../support/open-work.ts";
import { openTestServer } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import type { TestServer } from "../support/test-database.ts";

const Queue = suite("the queue for hashing");

/** Milliseconds on a clock that only these tests advance. */
let now = 0;
const realNow = performance.now;
Queue.before(() => void (performance.now = () => now));
Queue.after(() => void (performance.now = realNow));

const busy = async (milliseconds: number) => {
  now += milliseconds;
};

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

Queue("runs one turn more than the pool has threads, so that none waits for the event loop", async () => {
  const { inTurn, depth } = await createPasswords({ memory: 64, passes: 1, maxWaitMs: 60_000 });
  const { work, end } = openWork();
  const turns = Array.from({ length: 20 }, () => inTurn(new AbortController().signal, work));
  await new Promise(setImmediate);
  assert.is(depth().running, poolThreads() + 1);
  end();
  await Promise.all(turns);
});

Queue.run();

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

const Release = suite("release of a pool's client");
let server: TestServer;
let pool: Pool;

Release.before(async () => {
  server = await openTestServer();
  pool = releaseOnce(createPool(server.url("postgres", "postgres"), "test", createLog("test", "silent")));
});
Release.after(async () => {
  await pool.end();
  await server.stop();
});

Release("may be asked for twice, and counts once", async () => {
  const error = await new Promise<unknown>((resolve) =>
    pool.connect((_error, _client, release) => {
      try {
        release();
        release();
        resolve(undefined);
      } catch (failure) {
        resolve(failure);
      }
    }),
  );
  assert.is(error, undefined);
  assert.equal([pool.totalCount, pool.idleCount], [1, 1]);
});

Release("may be asked for when the pool gave no client", async () => {
  const ended = releaseOnce(createPool(server.url("postgres", "postgres"), "test", createLog("test", "silent")));
  await ended.end();
  const given = await new Promise<unknown[]>((resolve) =>
    ended.connect((error, client, release) => {
      release();
      resolve([error instanceof Error, client]);
    }),
  );
  assert.equal(given, [true, undefined]);
});

Release("keeps the other forms of the pool", async () => {
  const client = await pool.connect();
  assert.equal((await client.query("select 1 as one")).rows, [{ one: 1 }]);
  client.release();
  assert.equal((await pool.query("select 2 as two")).rows, [{ two: 2 }]);
});

Release.run();
