import { launch } from "../support/launch.ts";
import { password, register } from "../support/people.ts";
import type { TestRedis } from "../support/redis.ts";
import { startTestServices } from "../support/services.ts";
import { holdAnnouncements } from "./hold-announcements.ts";

export type TwoGateways = Awaited<ReturnType<typeof startTwoGateways>>;

/** The services and two gateways over one Redis, in which tokens live for a minute. A user of them is bea, who is signed in. */
export async function startTwoGateways(redis: TestRedis) {
  const announcements = holdAnnouncements();
  const settings = { REDIS_URL: redis.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" };
  const services = await startTestServices(settings, undefined, announcements.changeFreshness);
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl, ...settings };
  const gateways = await Promise.all([launch("gateway", env), launch("gateway", env)]);
  const bea = await register(services, "bea");
  const { sessionId: sessionOfBea } = await services.clients.sessions.signIn({ userNameOrEmail: "bea", password });
  return {
    ...services,
    announcements,
    bea,
    sessionOfBea,
    /** Asks one gateway, with a session or anonymously. */
    ask(gateway: number, path: string, session: string | undefined): Promise<Response> {
      const headers: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` };
      return fetch(`${gateways[gateway]?.url}${path}`, { headers });
    },
    /** Runs checks between the commit of a write and its announcement. @param write begins it */
    async whileHeld(write: () => Promise<unknown>, check: () => Promise<void>): Promise<void> {
      announcements.hold(0);
      const done = write();
      try {
        await announcements.held();
        await check();
      } finally {
        announcements.stopHolding();
        announcements.release();
        await done;
      }
    },
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await services.stop();
    },
  };
}
