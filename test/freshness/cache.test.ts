import http from "node:http";
import { gunzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { changingWrites } from "../social/changing-writes.ts";
import { sendHttp } from "../support/http.ts";
import { launch } from "../support/launch.ts";
import { publish, register } from "../support/people.ts";
import { startTestRedis, startTestRedisFor } from "../support/redis.ts";
import { startTestRedisCluster } from "../support/redis-cluster.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const probe = await startTestRedisFor("cached replies in Redis");
await probe?.stop();
describe("in this process", async () => undefined);
if (probe) describe("in one Redis", startTestRedis);
if (probe) describe("in a Redis Cluster", startTestRedisCluster);

function describe(where: string, start: () => Promise<{ url: string; stop(): Promise<void> } | undefined>): void {
  const Cached = suite(`cached replies, ${where}`);
  const agent = new http.Agent({ keepAlive: true });
  let redis: Awaited<ReturnType<typeof start>>;
  let system: TestSystem;
  let uncached: Running;
  let ann: bigint;

  Cached.before(async () => {
    redis = await start();
    const settings = redis ? { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000" } : {};
    system = await startTestSystem(settings);
    const services = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
    uncached = await launch("gateway", { ...services, PAGE_CACHE_BYTES: "0" });
    ann = await register(system, "ann");
    await publish(system, ann, "hello 1");
  });
  Cached.after(async () => {
    agent.destroy();
    await uncached.close();
    await system.stop();
    await redis?.stop();
  });

  async function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") {
    const reply = await sendHttp(`${system.url}${path}`, { headers, method, agent });
    const { date: _, ...others } = reply.headers;
    return { ...reply, headers: others };
  }

  Cached("have the same bytes and headers as the first reply to an equal request", async () => {
    const paths = [
      "/social/ann/timelines",
      "/social/ANN/timelines/?take=1",
      "/social/ann",
      "/social/ann,nobody_there,Ann",
      "/json/reply/SocialTimelines?screenName=ann&sinceId=5",
      "/api/socialusers?screenNames=ann&format=json",
    ];
    for (const path of paths) {
      for (const headers of [{}, { "accept-encoding": "gzip" }, { "accept-encoding": "br, gzip" }]) {
        for (const method of ["GET", "HEAD"]) {
          const [first, second] = [await get(path, headers, method), await get(path, headers, method)];
          assert.is(first.status, 200, path);
          assert.equal(second, first, `${method} ${path}`);
        }
      }
    }
  });

  Cached("are 304 for a known entity tag, and 200 after a change", async () => {
    const path = "/social/ann/timelines?take=2";
    for (let round = 0; round < 2; round++) {
      const { etag } = (await get(path)).headers;
      const known = await get(path, { "if-none-match": etag });
      assert.equal([known.status, known.body.length, known.headers.etag], [304, 0, etag]);
      await publish(system, ann, `hello again ${round}`);
      assert.is((await get(path, { "if-none-match": etag })).status, 200);
    }
  });

  Cached("are compressed with another entity tag when they are long, not when they are short", async () => {
    const plain = await get("/social/ann/timelines");
    for (let round = 0; round < 2; round++) {
      const gzipped = await get("/social/ann/timelines", { "accept-encoding": "gzip" });
      assert.is(gzipped.headers["content-encoding"], "gzip");
      assert.equal(gunzipSync(gzipped.body), plain.body);
      assert.is.not(gzipped.headers.etag, plain.headers.etag);
      const short = await get("/social/nobody_there", { "accept-encoding": "gzip" });
      assert.equal([short.headers["content-encoding"], `${short.body}`], [undefined, '{"results":[]}']);
    }
  });

  Cached("are wrapped for JSONP, long ones too", async () => {
    for (const query of ["take=1", ""]) {
      const { body } = await get(`/social/ann/timelines?${query}`);
      // The rounds are answered by the router, as a new page, and from the cache.
      for (let round = 0; round < 3; round++) {
        const path = `/social/ann/timelines?${query}&callback=f${round}`;
        const wrapped = await get(path, { "accept-encoding": "gzip" });
        assert.is(`${wrapped.body}`, `f${round}(${body})`);
      }
    }
  });

  for (const { title, prepare } of changingWrites) {
    Cached(`show what an uncached gateway shows as soon as this is acknowledged: ${title}`, async () => {
      const { names, write } = await prepare(system);
      const paths = names.flatMap((name) => [`/social/${name}`, `/social/${name}/timelines?take=200`]);
      const look = async (gatewayUrl = system.url) =>
        Promise.all(paths.map(async (path) => (await fetch(`${gatewayUrl}${path}`)).text()));
      // Twice, so that the second read is answered from the cache.
      await look();
      assert.equal(await look(), await look(uncached.url));
      await write();
      for (let round = 0; round < 2; round++) assert.equal(await look(), await look(uncached.url));
    });
  }

  Cached.run();
}
