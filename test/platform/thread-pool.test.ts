import { availableParallelism } from "node:os";
import * as assert from "uvu/assert";
import { limitThreadPool, poolThreads } from "../../services/platform/thread-pool.ts";
import { suite } from "../support/suite.ts";

const Pool = suite("the pool of threads");
const variable = "UV_THREADPOOL_SIZE";
let before: string | undefined;

Pool.before.each(() => {
  before = process.env[variable];
  delete process.env[variable];
});
Pool.after.each(() => {
  if (before === undefined) delete process.env[variable];
  else process.env[variable] = before;
});

Pool("has a thread for each processor, at least two and at most four", () => {
  limitThreadPool();
  const threads = Math.min(Math.max(availableParallelism(), 2), 4);
  assert.is(process.env[variable], String(threads));
  assert.is(poolThreads(), threads);
});

Pool("has the size that the environment sets", () => {
  process.env[variable] = "7";
  limitThreadPool();
  assert.is(process.env[variable], "7");
  assert.is(poolThreads(), 7);
});

Pool.run();
