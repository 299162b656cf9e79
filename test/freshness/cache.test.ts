import http from "node:http";
import { gunzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { changingWrites } from "../social/changing-writes.ts";
import { launch } from "../support/launch.ts";
import { publish, register } from "../support/people.ts";
import { startTestRedis } from "../support/redis.ts";
import { startTestRedisCluster } from "../support/redis-cluster.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

/** Runs all tests without Redis and with it. */
const places: { where: string; start(): Promise<{ url: string; stop(): Promise<void> } | undefined> }[] = [
  { where: "in this process", start: async () => undefined },
  { where: "in one Redis", start: startTestRedis },
  { where: "in a Redis Cluster", start: startTestRedisCluster },
];
const probe = await startTestRedis();
await probe?.stop();
if (!probe) console.log("!! No redis-server on this machine: cached replies were tested without Redis ONLY.");
for (const { where, start } of probe ? places : places.slice(0, 1)) describe(where, start);

function describe(where: string, start: (typeof places)[number]["start"]): void {
  const Cached = suite(`cached replies, ${where}`);
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
    await uncached.close();
    await system.stop();
    await redis?.stop();
  });

  function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET"): Promise<Got> {
    return new Promise((resolve, reject) => {
      const request = http.request(`${system.url}${path}`, { headers, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { date: _, ...headers } = response.headers;
          resolve({ status: response.statusCode, headers, body: Buffer.concat(chunks) });
        });
      });
      request.on("error", reject).end();
    });
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
      const { headers } = await get(path);
      const known = await get(path, { "if-none-match": headers.etag });
      assert.equal([known.status, known.body.length, known.headers.etag], [304, 0, headers.etag]);
      const weak = await get(path, { "if-none-match": `"x", W/${headers.etag}` });
      assert.is(weak.status, 304);
      await publish(system, ann, `hello again ${round}`);
      const changed = await get(path, { "if-none-match": headers.etag });
      assert.is(changed.status, 200);
      assert.is.not(changed.headers.etag, headers.etag);
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

  Cached("are wrapped for JSONP and used for batches", async () => {
    const path = "/social/ann/timelines?take=1";
    const { body } = await get(path);
    const { body: whole } = await get("/social/ann/timelines");
    // The rounds are answered by the router, as a new page, and from the cache.
    for (let round = 0; round < 3; round++) {
      const wrapped = await get(`${path}&callback=f${round}`, { "accept-encoding": "gzip" });
      assert.is(`${wrapped.body}`, `f${round}(${body})`);
      const long = await get(`/social/ann/timelines?callback=f${round}`, { "accept-encoding": "gzip" });
      assert.is(`${long.body}`, `f${round}(${whole})`);
    }
    const batch = await fetch(`${system.url}/json/reply/SocialTimelines[]`, {
      method: "POST",
      body: JSON.stringify([{ screenName: "ann", take: 1 }]),
    });
    assert.is(await batch.text(), `[${body}]`);
  });

  Cached("have the same request checks and headers on the fast path as on the router", async () => {
    const path = "/social/ann/timelines?take=1";
    await get(path);
    assert.is((await get(path, { expect: "the unexpected" })).status, 417);
    assert.is((await get(path, { "x-long": "x".repeat(61 * 1024) })).status, 431);
    assert.is(
      (await get(path, { origin: "http://a.example" })).headers["access-control-allow-origin"],
      "http://a.example",
    );
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

interface Got {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}
