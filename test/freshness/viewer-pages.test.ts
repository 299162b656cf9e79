import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { launch } from "../support/launch.ts";
import { password, protect, publish, register } from "../support/people.ts";
import { startTestRedis } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";

// Tokens live for a minute: what a write forgets to announce is not mended by time.
const redis = await startTestRedis();
if (!redis) console.log("!! No redis-server on this machine: cached replies to viewers were tried without Redis ONLY.");
for (const url of redis ? [undefined, redis.url] : [undefined]) describe(url);

function describe(redisUrl: string | undefined): void {
  const Viewers = suite(`cached replies to viewers, ${redisUrl ? "tokens in Redis" : "without Redis"}`);
  let services: TestServices;
  let cached: Running;
  let uncached: Running;
  let ann: bigint;
  let bea: bigint;
  const sessions: Record<string, string> = {};

  Viewers.before(async () => {
    const settings = redisUrl ? { REDIS_URL: redisUrl, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" } : {};
    services = await startTestServices(settings);
    const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
    cached = await launch("gateway", { ...env, ...settings });
    uncached = await launch("gateway", { ...env, PAGE_CACHE_BYTES: "0" });
    for (const name of ["ann", "bea", "cay"]) {
      const id = await register(services, name);
      if (name === "ann") ann = id;
      if (name === "bea") bea = id;
      const { sessionId } = await services.clients.sessions.signIn({ userNameOrEmail: name, password });
      sessions[name] = sessionId;
    }
  });
  Viewers.after(async () => {
    await cached?.close();
    await uncached?.close();
    await services?.stop();
    if (redisUrl !== undefined || !redis) await redis?.stop();
  });

  const paths = ["/social/bea", "/social/bea/timelines?take=5", "/social/ann,bea,unknown"];

  /** What a user sees, or an anonymous caller for "". */
  async function look({ url }: Running, name: string, more: Record<string, string> = {}) {
    const session: Record<string, string> = name === "" ? {} : { authorization: `Bearer ${sessions[name]}` };
    const headers = { "accept-encoding": "identity", ...session, ...more };
    return Promise.all(
      paths.map(async (path) => {
        const reply = await fetch(`${url}${path}`, { headers });
        const kept = ["etag", "cache-control", "content-encoding", "access-control-allow-origin", "vary"];
        const shown = name === "" ? kept.slice(1) : kept;
        return [reply.status, await reply.text(), ...shown.map((header) => reply.headers.get(header))];
      }),
    );
  }

  /** Three times: read, cached, and by the fast path. */
  async function isRight(what: string): Promise<void> {
    for (const name of ["ann", "bea", "cay", ""]) {
      const right = await look(uncached, name);
      for (let round = 0; round < 3; round++) {
        assert.equal(await look(cached, name), right, `${what}, ${name}, round ${round}`);
      }
    }
  }

  Viewers("show each viewer at once what an uncached gateway shows", async () => {
    const { graph, statuses, profiles } = services.clients;
    const [first, second] = [await publish(services, bea, "one"), await publish(services, bea, "two")];
    const pair = { followerId: ann, userId: bea };
    const acts: Record<string, () => Promise<unknown>> = {
      nothing: async () => {},
      follow: () => graph.follow(pair),
      notify: () => graph.setNotifications({ ...pair, notifications: true }),
      favorite: () => statuses.favorite({ userId: ann, status: first }),
      repost: () => statuses.repost({ userId: ann, status: second }),
      publish: () => publish(services, bea, "three"),
      protect: () => protect(services, { id: bea }),
      remove: () => graph.removeFollower(pair),
      ask: () => graph.follow(pair),
      reject: () => graph.rejectFollower(pair),
      "ask again": () => graph.follow(pair),
      approve: () => graph.approveFollower(pair),
      unfavorite: () => statuses.unfavorite({ userId: ann, status: first }),
      unfollow: () => graph.unfollow(pair),
      open: () => profiles.setProtected({ userId: bea, protected: false }),
      "delete what was reposted": () => statuses.deleteStatus(second),
    };
    for (const [what, act] of Object.entries(acts)) {
      await act();
      await isRight(what);
    }
  });

  Viewers("ask the social service for a page once while nothing changes", async () => {
    const asked = () => services.logged.filter(({ rpc }) => `${rpc}`.endsWith("/SocialTimelines")).length;
    await publish(services, bea, "another one");
    const before = asked();
    for (let round = 0; round < 10; round++) await look(cached, "cay");
    assert.is(asked() - before, 1);
  });

  Viewers("answer other origins with their names, and cookies where they count", async () => {
    const origin = { origin: "https://other.example" };
    const cookie = { cookie: `a=b; ss-id=${sessions["ann"]}` };
    for (let round = 0; round < 3; round++) {
      for (const [name, headers] of [
        ["", origin],
        ["ann", origin],
        ["", cookie],
        ["", { ...cookie, ...origin }],
        ["", { ...cookie, "sec-fetch-site": "cross-site" }],
        ["", { ...cookie, "sec-fetch-site": "same-origin", ...origin }],
      ] as const) {
        assert.equal(await look(cached, name, headers), await look(uncached, name, headers), JSON.stringify(headers));
      }
    }
  });

  Viewers.run();
}
