import type { Test } from "uvu";
import { launch } from "./launch.ts";
import { startTestServices } from "./services.ts";
import { uses } from "./suite.ts";
import type { TestDatabase } from "./test-database.ts";

export type TestSystem = Awaited<ReturnType<typeof startTestSystem>>;

/** The whole system in this process: both services, as `startTestServices` has them, and the gateway on a free port. */
export async function startTestSystem(settings: NodeJS.ProcessEnv = {}, database?: TestDatabase) {
  const services = await startTestServices(settings, database);
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl, ...settings };
  const gateway = await launch("gateway", env, services);
  return {
    ...services,
    /** The gateway's address. */
    url: gateway.url,
    async stop() {
      await gateway.close();
      await services.stop();
    },
  };
}

/** The whole system for one suite, from before its tests until after them. */
export function useSystem(tests: Test, settings?: NodeJS.ProcessEnv, system?: TestSystem): TestSystem {
  return uses(tests, () => startTestSystem(settings), system);
}
