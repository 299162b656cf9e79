import type { MessageInitShape } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createTokenReader } from "../../gateway/cache/tokens/freshness-tokens.ts";
import { listUserTokens } from "../../gateway/cache/tokens/list-tokens.ts";
import { createRaiseTokens } from "../../gateway/cache/tokens/seen-states.ts";
import type { TokenSource } from "../../gateway/cache/tokens/token-source.ts";
import type { ListTokensRequestSchema } from "../../proto/gen/social/v1/freshness_service_pb.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { createLeasedValues, type LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

// Counters that other users change make a new state without a drop, so only the gateways can prevent that a reader sees an older one.
const MonotonicReads = suite("monotonic reads over two gateways");
const redis = await startTestRedisFor("whether two gateways never show older counters");
const test = redis ? MonotonicReads : MonotonicReads.skip;
const connections: RedisConnection[] = [];

MonotonicReads.after(async () => {
  for (const connection of connections) connection.close();
  await redis?.stop();
});

/** A service with a new state in each answer, whose answers can be stopped, and which drops tokens that a gateway announces. */
function createService() {
  let counters = 0;
  let release = () => {};
  let held: Promise<void> | undefined;
  return {
    async listTokens({ screenNames = [], announcedTokens = [] }: MessageInitShape<typeof ListTokensRequestSchema>) {
      const token = `a.1.${(++counters).toString(36)}.e`;
      await held;
      if (announcedTokens.length > 0) {
        for (const name of screenNames) await redis?.send(`DEL fresh:{${name}} fresh:{${name}}:lease`);
      }
      return { tokens: screenNames.map(() => token), viewerTokens: [], keepMs: 60_000, tick: "p.1" } as never;
    },
    hold: () => void (held = new Promise((resolve) => (release = resolve))),
    stopHolding: () => void (held = undefined),
    release: () => release(),
    asked: () => counters,
  };
}

/** A gateway's token reader; returns the number of the state. */
async function openGateway(
  service: ReturnType<typeof createService>,
  change: (real: LeasedValues) => Partial<LeasedValues> = () => ({}),
) {
  const log = createLog("test", "silent");
  const connection = connectRedis([redis?.url ?? ""], "test", log, 10_000);
  connections.push(connection);
  await eventually("Redis", async () => connection.isUsable());
  const real = createLeasedValues(connection);
  const tokenStore = { ...real, ...change(real) };
  const counts = createCacheCounts(createRegistry());
  const { tokensOf } = createTokenReader({
    listTokens: listUserTokens({ freshness: service, sessions: {} as never }),
    of: "users",
    tokenStore,
    clock: { isRecent: () => true, recentUntil: () => Number.POSITIVE_INFINITY },
    freshnessMs: 60_000,
    log,
    counts,
  });
  return async (key: string) =>
    Number.parseInt(((await tokensOf([key]).read(performance.now() + 60_000))[0] ?? "").split(".")[2] ?? "", 36);
}

async function isFilled(name: string): Promise<boolean> {
  return (await redis?.send(`EXISTS fresh:{${name}}`))?.startsWith(":1") ?? false;
}

test("never show an older state that one gateway stored after the other had shown a newer one", async () => {
  const service = createService();
  const [first, second] = [await openGateway(service), await openGateway(service)];
  // The first answer says whether tokens may be stored.
  for (const read of [first, second]) await read("warm");
  service.hold();
  const asked = service.asked();
  const slow = first("ann");
  await eventually("the first request for a token", async () => service.asked() > asked);
  service.stopHolding();
  const seen = await second("ann");
  service.release();
  await slow;
  await eventually("the token", () => isFilled("ann"));
  for (const read of [first, second]) assert.ok((await read("ann")) >= seen, `after ${seen}`);
});

test("never show the stored state after a gateway that just started has shown a newer one", async () => {
  const service = createService();
  const [first, second] = [await openGateway(service), await openGateway(service)];
  await eventually("the token", async () => (await first("bea")) > 0 && isFilled("bea"));
  const seen = await second("bea");
  for (const read of [first, second]) assert.ok((await read("bea")) >= seen, `after ${seen}`);
});

test("never show a state that one gateway stored just before the other took the lease", async () => {
  const service = createService();
  let leaseNow = () => {};
  let isAboutToLease = false;
  const first = await openGateway(service, ({ lease }) => ({
    async lease(keys, ms) {
      if (keys.some((key) => key.includes("cid"))) {
        isAboutToLease = true;
        await new Promise<void>((resolve) => (leaseNow = resolve));
      }
      return lease(keys, ms);
    },
    // Never stores, as when that is later than the reply.
    fill: () => new Promise(() => {}),
  }));
  const second = await openGateway(service);
  for (const read of [first, second]) await read("warm");
  const slow = first("cid");
  await eventually("the first gateway's miss", async () => isAboutToLease);
  await eventually("the token", async () => (await second("cid")) > 0 && isFilled("cid"));
  leaseNow();
  const seen = await slow;
  assert.ok((await second("cid")) >= seen, `after ${seen}`);
});

test("never show a counter that was read under a lease that had ended, and then an older stored one", async () => {
  const service = createService();
  let ask = () => {};
  let isLeased = false;
  const first = await openGateway(service, ({ lease }) => ({
    async lease(keys, ms) {
      const leases = await lease(keys, ms);
      if (keys.some((key) => key.includes("dan"))) {
        isLeased = true;
        await new Promise<void>((resolve) => (ask = resolve));
      }
      return leases;
    },
  }));
  const second = await openGateway(service);
  for (const read of [first, second]) await read("warm");
  const slow = first("dan");
  await eventually("the first gateway's lease", async () => isLeased);
  // As a write does.
  await redis?.send("DEL fresh:{dan} fresh:{dan}:lease");
  await eventually("the token", async () => (await second("dan")) > 0 && isFilled("dan"));
  ask();
  const seen = await slow;
  assert.ok((await second("dan")) >= seen, `after ${seen}`);
});

/** Raises states with fakes, and notes which were raised in Redis, and of which subjects the service was asked. */
function openRaise(hasRedis = true) {
  const state = { mayStore: true, fails: false, raised: [] as string[], asked: [] as string[] };
  const raise: LeasedValues["raise"] = async (states) => {
    if (state.fails) throw new Error("away");
    state.raised.push(...states.map(({ key, state }) => `${key} ${state}`));
  };
  const announced = new Map<string, string>();
  const askAnnounced = async (keys: readonly string[]) => {
    state.asked.push(...keys);
    return keys.map(() => "");
  };
  const source = { announced, mayStore: () => state.mayStore, askAnnounced } as Partial<TokenSource> as TokenSource;
  const raiseTokens = createRaiseTokens(hasRedis ? ({ raise } as LeasedValues) : undefined, source);
  const seen = (tokens: Record<string, string>) =>
    raiseTokens(
      Object.entries(tokens).map(([subjectKey, token]) => ({ subjectKey, token })),
      0,
    );
  return { state, seen, raised: () => state.raised.splice(0), asked: () => state.asked.splice(0) };
}

MonotonicReads("have each state raised in Redis once", async () => {
  const { seen, raised, asked } = openRaise();
  await seen({ ann: "a1", bob: "b1" });
  assert.equal(raised(), ["fresh:{ann} a1", "fresh:{bob} b1"]);
  await seen({ ann: "a1", bob: "b2" });
  await seen({ ann: "a1", bob: "b2" });
  assert.equal([raised(), asked()], [["fresh:{bob} b2"], []]);
});

MonotonicReads("have the service announce a state that cannot be raised, again until one can", async () => {
  for (const [hasRedis, fault] of [
    [false, {}],
    [true, { mayStore: false }],
    [true, { fails: true }],
  ] as const) {
    const { state, seen, raised, asked } = openRaise(hasRedis);
    Object.assign(state, fault);
    for (let time = 0; time < 2; time++) await seen({ ann: "a1" });
    assert.equal([raised(), asked()], [[], ["ann", "ann"]], JSON.stringify(fault));
  }
});

MonotonicReads.run();
