import type { Test } from "uvu";
import { startTestServices, type TestServices } from "./services.ts";
import { uses } from "./suite.ts";
import { startTestSystem, type TestSystem } from "./system.ts";

/**
 * Gives a suite services that other files of its room use as well, one after the other. For tests with users of their own
 * (`person` in people.ts) that neither count all users nor change settings. A suite's own `after` has to be added before.
 * @returns them, with their fields from before the first test on
 */
export const useSharedServices = sharing<TestServices>(() => startTestServices());

/** The same with the whole system. */
export const useSharedSystem = sharing<TestSystem>(() => startTestSystem());

function sharing<T extends TestServices>(start: () => Promise<T>) {
  const shared = share(start, (started) => started.stop());
  return (tests: Test, started?: T): T => {
    shared.join();
    return uses(tests, async () => ({ ...(await shared.get()), stop: shared.leave }), started);
  };
}

/** A resource that several test files of a room use, one after the other in one process. */
export function share<T>(start: () => Promise<T>, stop: (started: T) => Promise<void>) {
  let files = 0;
  let started: Promise<T> | undefined;
  return {
    /** To be called when each file is imported, so that the last one is known. */
    join: () => void files++,
    /** Starts it for the first file. */
    get: () => (started ??= start()),
    /** Stops it for the last file. */
    async leave(): Promise<void> {
      files--;
      if (files === 0 && started !== undefined) await stop(await started);
    },
  };
}
