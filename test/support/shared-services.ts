import type { Test } from "uvu";
import { startTestServices, type TestServices } from "./services.ts";
import { share } from "./share.ts";
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
  return (tests: Test): T => {
    shared.join();
    return uses(tests, async () => ({ ...(await shared.get()), stop: shared.leave }));
  };
}
