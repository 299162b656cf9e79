import { inspect } from "node:util";
import { type Callback, suite as createSuite, type Test } from "uvu";
import { startStopwatch } from "./stopwatch.ts";

let hasFailedHook = false;
// uvu sets an exit code of its own when all suites have run.
process.on("exit", () => {
  if (hasFailedHook) process.exitCode = 1;
});

/**
 * A suite of uvu that also prints its time, and reports what uvu alone hides: errors of hooks, and of tests that throw something else than an
 * Error, or one whose `details` are not a text, such as ConnectError.
 */
export function suite(name: string): Test {
  const tests = createSuite(name);
  let elapsed = startStopwatch();
  tests.before(() => {
    elapsed = startStopwatch();
  });
  const hook =
    (add: Test["before"] | Test["before"]["each"], kind: string, onError: (error: unknown) => void = rethrow) =>
    (run: Callback): void =>
      add(async (context) => {
        try {
          await run(context);
        } catch (error) {
          console.error(`\n   FAIL  ${name}, ${kind} "${context.__test__ || "all"}"`, error);
          hasFailedHook = true;
          onError(error);
        }
      });
  return Object.assign((title: string, test: Callback) => tests(title, reported(test)), {
    only: (title: string, test: Callback) => tests.only(title, reported(test)),
    skip: tests.skip,
    before: Object.assign(hook(tests.before, "before"), { each: hook(tests.before.each, "before") }),
    // After an error here uvu would run no other suite.
    after: Object.assign(
      hook(tests.after, "after", () => {}),
      { each: hook(tests.after.each, "after") },
    ),
    run() {
      tests.after(() => void process.stdout.write(`  ${elapsed()}`));
      tests.run();
    },
  });
}

/**
 * Starts something before the tests of a suite, and stops it after them.
 * @param started gets its fields; the same object for suites that follow each other in a file
 */
export function uses<T extends { stop(): Promise<void> }>(tests: Test, start: () => Promise<T>, started = {} as T): T {
  tests.before(async () => void Object.assign(started, await start()));
  tests.after(() => started.stop());
  return started;
}

function reported(test: Callback): Callback {
  return async (context) => {
    try {
      await test(context);
    } catch (error) {
      if (!(error instanceof Error)) throw new Error(`thrown: ${inspect(error)}`);
      if ("details" in error && typeof error.details !== "string") error.details = "";
      throw error;
    }
  };
}

function rethrow(error: unknown): never {
  throw error;
}
