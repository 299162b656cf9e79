// Counters that other users change make a new state without a drop. A reader who has seen it must see it at every gateway, also when
// the gateway that showed it is cut off from Redis, or when all processes are.
import { createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { GraphService } from "../../proto/gen/social/v1/graph_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { register } from "../support/people.ts";
import { startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { startTestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const CutOff = suite("reads by a gateway that is cut off from Redis");
const redis = (await startTestRedisFor("reads by a gateway that is cut off from Redis")) as TestRedis;
const test = redis ? CutOff : CutOff.skip;
CutOff.after(() => redis?.stop());

/**
 * A gateway and a social process that can be cut off from Redis, and another gateway with another social process that cannot. Its
 * user is ann.
 */
async function start(freshnessMs: number) {
  const proxies = { gateway: await startFaultProxy(redis.port), social: await startFaultProxy(redis.port) };
  const by = ({ port }: { port: number }) => ({ REDIS_URL: `redis://127.0.0.1:${port}` });
  const common = { REDIS_TIMEOUT_MS: "5000", FRESHNESS_MS: `${freshnessMs}` };
  const services = await startTestServices({ ...common, ...by(proxies.social) });
  const env = { ...common, ...by(redis), SOCIAL_DATABASE_URL: services.database.social };
  const social = await launch("social", env, services);
  const gateways: Running[] = [];
  async function startReader(settings: NodeJS.ProcessEnv) {
    const env = { ...common, ACCOUNT_URL: services.accountUrl, SERVICE_TIMEOUT_MS: "60000" };
    const gateway = await launch("gateway", { ...env, ...settings }, services);
    gateways.push(gateway);
    return async (path = "/social/ann") => {
      const reply = await (await fetch(gateway.url + path)).json();
      const { results: [user] = [] } = reply as { results?: { followers_count: number }[] };
      if (user === undefined) throw new Error(JSON.stringify(reply));
      return user.followers_count;
    };
  }
  const [ann, fan] = [await register(services, "ann"), await register(services, "fan")];
  // By the process with Redis: one that is cut off would wait until all tokens have expired.
  const transport = createServiceTransport({ baseUrl: social.url, deadlineMs: 60_000, caller: "test" });
  const graph = createClient(GraphService, actingTransport(transport.transport));
  let followers = 0;
  return {
    proxies,
    ann,
    services,
    cutOff: await startReader({ ...by(proxies.gateway), SOCIAL_URL: services.socialUrl }),
    whole: await startReader({ ...by(redis), SOCIAL_URL: social.url }),
    startReader,
    /** Changes a counter of ann by another user, which drops no token; returns it. */
    async move() {
      const relation = { followerId: fan, userId: ann, requestId: crypto.randomUUID() };
      await (followers === 0 ? graph.follow(relation) : graph.unfollow(relation));
      followers = 1 - followers;
      return followers;
    },
    async stop() {
      transport.close();
      for (const running of [...gateways, social]) await running.close();
      await services.stop();
      for (const proxy of Object.values(proxies)) await proxy.close();
    },
  };
}

async function isStored(): Promise<boolean> {
  return (await redis.send("EXISTS fresh:{ann}")).startsWith(":1");
}

/** Reads until ann's token is in Redis: a process that missed a tick on a busy machine stores tokens again after a minute. */
function untilStored(read: () => Promise<unknown>): Promise<void> {
  return eventually("the token", async () => read().then(isStored), 90);
}

test("show no state newer than a later read by a gateway with Redis", async () => {
  const system = await start(60_000);
  const { cutOff, whole, move } = system;
  try {
    await untilStored(cutOff);
    const without = await system.startReader({ SOCIAL_URL: system.services.socialUrl });
    for (const [what, read] of [
      ["by name", cutOff],
      ["by id", () => cutOff(`/json/reply/SocialUsers?userIds=${system.ann}`)],
      ["by a gateway that has no Redis", without],
    ] as const) {
      await untilStored(whole);
      const before = await whole();
      const count = await move();
      assert.is(await whole(), before, `${what}: the other gateway goes by what is cached`);
      system.proxies.gateway.refuse();
      assert.is(await read(), count, what);
      assert.is(await whole(), count, `after a read ${what}`);
      assert.is(await read(), count, `${what}, again`);
    }
    // A state that is known to be announced is not announced again.
    await cutOff();
    await untilStored(whole);
    for (let again = 0; again < 3; again++) await cutOff();
    assert.ok(await isStored());
  } finally {
    await system.stop();
  }
});

test("show no state newer than later reads while a social process is cut off, too", async () => {
  const system = await start(1_000);
  const { cutOff, whole, move, proxies } = system;
  try {
    for (let round = 0; round < 3; round++) {
      await untilStored(cutOff);
      await untilStored(whole);
      for (const proxy of Object.values(proxies)) proxy.refuse();
      for (let step = 0; step < 3; step++) {
        await whole();
        const count = await move();
        const seen = [await cutOff(), await whole()];
        assert.equal(seen, [count, count], `round ${round}, step ${step}`);
      }
      for (const proxy of Object.values(proxies)) proxy.heal();
      await eventually("tokens are stored again", async () => whole().then(isStored));
    }
  } finally {
    await system.stop();
  }
});

test("and writes wait only at the beginning of an outage", async () => {
  const system = await start(5_000);
  const { cutOff, move, proxies } = system;
  try {
    await untilStored(cutOff);
    for (const proxy of Object.values(proxies)) proxy.refuse();
    const publish = (text: string) => system.services.clients.statuses.publishStatus({ authorId: system.ann, text });
    // A write that must wait does so for longer than FRESHNESS_MS.
    const isQuick = async (work: () => Promise<unknown>) => {
      const begin = performance.now();
      await work();
      return performance.now() - begin < 4_000;
    };
    await eventually("reads do not wait", async () => (await move()) >= 0 && isQuick(cutOff));
    await eventually("writes do not wait", () => isQuick(() => publish("soon there")));
    for (let again = 0; again < 3; again++) {
      const count = await move();
      assert.ok(await isQuick(async () => assert.is(await cutOff(), count)), "a read");
      assert.ok(await isQuick(() => publish(`again ${again}`)), "a write");
    }
  } finally {
    await system.stop();
  }
});

CutOff.run();
