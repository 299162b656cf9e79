// The tokens of users and of sessions on one Redis, with fake services.
import { create } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createCachedOperations } from "../../gateway/cache/cached-operations.ts";
import { loadConfig } from "../../gateway/config.ts";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import type { ViewerReply } from "../../gateway/http/replies/reply-loaders.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { SocialService, SocialTimelinesRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import { advanceClock } from "../../services/platform/redis/logical-clock.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

const Memories = suite("memories of tokens");
const redis = await startTestRedisFor("memories of tokens");
const test = (redis ? Memories : Memories.skip) as typeof Memories;
Memories.after(() => redis?.stop());

const log = createLog("test", "silent");
const lifetimeMs = 60_000;

/**
 * The cached operations of a gateway on this Redis. Their services let tokens of users be stored.
 * @param keepMs milliseconds for which tokens of sessions may be stored
 */
function open({ url }: TestRedis, keepMs: number) {
  const connection = connectRedis([url], "test", log, 1_000);
  const clock = advanceClock(connection, lifetimeMs);
  const listed = (tokens: string[], keepMs: number, viewerTokens: string[] = []) => ({
    tokens,
    viewerTokens,
    keepMs,
    tick: clock.stamp() ?? "",
  });
  const services = {
    freshness: {
      listTokens: async ({ screenNames = [], viewerIds = [] }: { screenNames?: string[]; viewerIds?: bigint[] }) =>
        listed(screenNames.map(tokenOf), lifetimeMs, viewerIds.map(tokenOf)) as never,
      listRelationDigests: () => Promise.reject(new Error("no viewer reads")),
    },
    sessions: {
      listSessionTokens: async ({ idHashes = [] }: { idHashes?: Uint8Array[] }) =>
        listed(
          idHashes.map(() => "7.1.1.1"),
          keepMs,
        ) as never,
      getSession: () => Promise.reject(new Error("its token names the user")),
    },
  };
  const transport = createRouterTransport(({ service }) =>
    service(SocialService, { socialTimelines: ({ screenName }) => ({ freshness: tokenOf(screenName) }) }),
  );
  const config = { ...loadConfig({}), redisUrls: [url], redisTimeoutMs: 1_000, freshnessMs: lifetimeMs };
  const operations = compileOperations([{ service: SocialService, transport }]);
  const counts = createCacheCounts(createRegistry());
  const cached = createCachedOperations(config, log, services, operations, counts);
  const reads = cached.reads.get("SocialTimelines");
  const input = create(SocialTimelinesRequestSchema, { screenName: "ann" });
  const timeline = reads?.anonymous(input);
  return {
    /** Whether the token of a timeline was remembered. */
    async readTimeline() {
      const before = counts.tokens.process.hit.value;
      await timeline?.load("identity", deadlineAfter(lifetimeMs));
      return counts.tokens.process.hit.value > before;
    },
    /** What a timeline shows to the user of the session. */
    shown: () => reads?.viewer?.(input)("7").states as ViewerReply["states"],
    session: () => cached.sessions.findRemembered("a session"),
    findUser: () => cached.sessions.findUser("a session", deadlineAfter(lifetimeMs)),
    async close() {
      await clock.close();
      connection.close();
      await cached.close();
    },
  };
}

function tokenOf(name: string | bigint): string {
  return `${name}.1.1.1`;
}

test("of users last while no tokens of sessions may be stored", async () => {
  const { readTimeline, findUser, close } = open(redis as TestRedis, 0);
  try {
    await eventually("a token is remembered", readTimeline);
    for (let time = 0; time < 5; time++) {
      assert.is(await findUser(), "7");
      assert.is(await readTimeline(), true);
    }
  } finally {
    await close();
  }
});

test("of a session are not used when the token of what it shows was not confirmed", async () => {
  const { shown, session, findUser, close } = open(redis as TestRedis, lifetimeMs);
  const { pid } = redis as TestRedis;
  const deadline = deadlineAfter(lifetimeMs);
  try {
    const states = shown();
    const isRemembered = async () => {
      await Promise.all([findUser(), states.read(deadline)]);
      return session()?.isOpen() === true && states.remembered() !== undefined;
    };
    await eventually("both are remembered", isRemembered);
    await session()?.confirm(deadline, states);
    assert.equal([session()?.isOpen(), states.remembered()], [true, ["7.1.1.1", "ann.1.1.1"]]);
    process.kill(pid(), "SIGSTOP");
    await session()?.confirm(deadline, states);
    assert.equal([session()?.isOpen(), states.remembered()], [false, undefined]);
  } finally {
    process.kill(pid(), "SIGCONT");
    await close();
  }
});

Memories.run();
