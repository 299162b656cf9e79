import { stat } from "node:fs/promises";
import * as assert from "uvu/assert";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { suite } from "../support/suite.ts";

const Timeout = suite("a time limit");

Timeout("does not count time in which the process could not read the answer", async () => {
  const found = withTimeout(20, stat("."));
  const start = performance.now();
  while (performance.now() - start < 500);
  assert.ok((await found).isDirectory());
});

Timeout("does not count time in which the process could not write the request", async () => {
  const answered = withTimeout(50, new Promise((resolve) => setImmediate(() => setTimeout(resolve, 5, "late"))));
  const start = performance.now();
  while (performance.now() - start < 500);
  assert.is(await answered, "late");
});

Timeout("ends the wait for an answer that does not come", async () => {
  await withTimeout(20, new Promise(() => {})).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, "no answer within 20 ms"),
  );
});

Timeout("passes the error of the work on", async () => {
  const error = new Error("refused");
  assert.is(await withTimeout(1_000, Promise.reject(error)).catch((reason: unknown) => reason), error);
});

Timeout.run();
