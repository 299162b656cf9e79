// Tokens are stored only while every social process drops them, and no longer than each of them waits for their expiry.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { StatusService } from "../../proto/gen/social/v1/status_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { actingTransport } from "../support/acting-transport.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { launch } from "../support/launch.ts";
import { register } from "../support/people.ts";
import { startTestRedis, type TestRedis } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Storage = suite("token storage");
const [one, other] = (await Promise.all([startTestRedis(), startTestRedis()])) as [TestRedis, TestRedis];
const test = one && other ? Storage : Storage.skip;
if (!one || !other) console.log("!! No redis-server on this machine: token storage was NOT tested.");

/** A system whose social service and gateway have these settings; its user is ann. */
async function start(social: NodeJS.ProcessEnv, gateway: NodeJS.ProcessEnv) {
  const common = { REDIS_TIMEOUT_MS: "5000", FRESHNESS_MS: "1000" };
  const services: TestServices = await startTestServices({ ...common, ...social });
  const userId = await register(services, "ann");
  const opened: Running[] = [];
  const startOther = async (settings: NodeJS.ProcessEnv) => {
    const env = { ...common, SOCIAL_DATABASE_URL: services.database.social, ...settings };
    const running = await launch("social", env, services);
    opened.unshift(running);
    return { ...running, publish: publisher(running.url) };
  };
  const startReader = async (settings: NodeJS.ProcessEnv) => {
    const env = { ...common, ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
    const running = await launch("gateway", { ...env, ...settings }, services);
    opened.unshift(running);
    return async () => {
      const reply = await fetch(`${running.url}/social/ann/timelines?take=1`);
      return ((await reply.json()) as { results: { text: string }[] }).results[0]?.text;
    };
  };
  const transports: { close(): void }[] = [];
  function publisher(baseUrl: string) {
    const transport = createServiceTransport({ baseUrl, deadlineMs: 60_000, caller: "test" });
    transports.push(transport);
    const statuses = createClient(StatusService, actingTransport(transport.transport));
    return (text: string) => statuses.publishStatus({ authorId: userId, text, requestId: crypto.randomUUID() });
  }
  return {
    services,
    publish: publisher(services.socialUrl),
    read: await startReader(gateway),
    startReader,
    startOther,
    async stop() {
      for (const running of opened) await running.close().catch(() => {});
      for (const transport of transports) transport.close();
      await services.stop();
    },
  };
}

/** Reads until the token is in that Redis, at most 60 times. */
async function readUntilStored(read: () => Promise<unknown>, redis: TestRedis): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    await read();
    if ((await redis.send("EXISTS fresh:{ann}")).startsWith(":1")) return true;
    await sleep(25);
  }
  return false;
}

/** Publishes at one process and reads at a gateway, five times; every read must show the publication. */
async function check(publish: (text: string) => Promise<unknown>, read: () => Promise<unknown>, what: string) {
  const seen: unknown[] = [];
  const wanted: string[] = [];
  for (let round = 0; round < 5; round++) {
    for (let warm = 0; warm < 4; warm++) await read().then(() => sleep(25));
    await publish(`${what} ${round}`);
    wanted.push(`${what} ${round}`);
    seen.push(await read());
  }
  assert.equal(seen, wanted);
}

test("is off while the gateway has another Redis than the social service", async () => {
  const system = await start({ REDIS_URL: one.url }, { REDIS_URL: other.url });
  assert.not(await readUntilStored(system.read, other));
  await check(system.publish, system.read, "other Redis");
  const read = await system.startReader({ REDIS_URL: one.url });
  assert.ok(await readUntilStored(read, one), "a gateway with the same Redis stores them");
  await system.stop();
});

for (const [what, settings] of [
  ["no Redis", {}],
  ["another Redis", { REDIS_URL: other?.url }],
] as const) {
  test(`is off while one of two social processes has ${what}, and on again when both have the same`, async () => {
    const system = await start({ REDIS_URL: one.url }, { REDIS_URL: one.url });
    assert.ok(await readUntilStored(system.read, one));
    const second = await system.startOther(settings);
    // From its first write on.
    await check(second.publish, system.read, what);
    await check(system.publish, system.read, `beside ${what}`);
    assert.ok(system.services.logged.some(({ msg }) => `${msg}`.startsWith("not all social processes use one Redis")));
    await second.close();
    const repaired = await system.startOther({ REDIS_URL: one.url });
    assert.ok(await readUntilStored(system.read, one), "tokens are stored again");
    await check(repaired.publish, system.read, "repaired");
    await system.stop();
  });
}

// Such a Redis answers a PING and every read. Without a place for tokens, no write has to wait until they have expired.
test("is off while Redis refuses writes, and writes then do not wait", async () => {
  const system = await start({ REDIS_URL: one.url }, { REDIS_URL: one.url });
  assert.ok(await readUntilStored(system.read, one));
  await one.send("CONFIG SET min-replicas-to-write 1");
  try {
    await check(system.publish, system.read, "refused");
    await eventually("a write that does not wait for a second", async () => {
      const start = performance.now();
      await system.publish("at once");
      return performance.now() - start < 500;
    });
    await check(system.publish, system.read, "no place");
  } finally {
    await one.send("CONFIG SET min-replicas-to-write 0");
  }
  assert.ok(await readUntilStored(system.read, one), "tokens are stored again");
  await check(system.publish, system.read, "accepted");
  await system.stop();
});

test("ends in time with a wall clock that is set back, for running and new gateways", async () => {
  const proxy = await startFaultProxy(one.port);
  const system = await start({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }, { REDIS_URL: one.url });
  await system.publish("before");
  try {
    for (let round = 0; round < 2; round++) {
      await eventually("tokens are stored", () => readUntilStored(system.read, one));
      const clock = setBack();
      proxy.refuse();
      try {
        await system.publish(`cut off ${round}`);
        const late = await system.startReader({ REDIS_URL: one.url });
        for (const read of [system.read, late, system.read, late]) assert.is(await read(), `cut off ${round}`);
      } finally {
        await clock.setRight();
      }
      proxy.heal();
    }
  } finally {
    await system.stop();
    await proxy.close();
  }
});

/** Has the effect of a clock that is set back by an hour: stored keys do not expire any more. */
function setBack(): { setRight(): Promise<void> } {
  const keys = ["fresh:{ann}", "fresh:{ann}:lease"];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      for (const key of keys) await one.send(`PERSIST ${key}`);
      // Much shorter than the lifetime of a token.
      await sleep(20);
    }
    await one.send(`DEL ${keys.join(" ")}`);
  })();
  return {
    setRight() {
      isOver = true;
      return running;
    },
  };
}

Storage.after(async () => {
  await one?.stop();
  await other?.stop();
});

Storage.run();
