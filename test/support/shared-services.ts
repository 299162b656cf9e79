import type { Test } from "uvu";
import { startTestServices, type TestServices } from "./services.ts";
import { share } from "./share.ts";

const shared = share(startTestServices, (services) => services.stop());

/**
 * Gives a suite services that other files of its room use as well, one after the other. For tests with users of their own
 * (`person` in people.ts) that neither count all users nor change settings.
 */
export function useSharedServices(suite: Test, take: (services: TestServices) => void): void {
  shared.join();
  suite.before(async () => take(await shared.get()));
  suite.after(() => shared.leave());
}
