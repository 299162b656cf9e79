import * as assert from "uvu/assert";
import { createCacheCounts } from "../../gateway/cache/cache-metrics.ts";
import { createPageCache } from "../../gateway/cache/pages/page-cache.ts";
import { createPageStorage } from "../../gateway/cache/pages/page-storage.ts";
import { acceptedEncoding } from "../../gateway/http/replies/encoding.ts";
import { type PageForm, plainPage } from "../../gateway/http/replies/page.ts";
import { createLog } from "../../services/platform/log.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { eventually } from "../support/eventually.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { startTestRedisFor, type TestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";

const Pages = suite("page cache");
const counts = createCacheCounts(createRegistry());

const turn = () => new Promise((resolve) => setImmediate(resolve));

Pages("coalesces requests for a page, and stores the page, but no failure", async () => {
  const store = createPageCache(1_000_000, undefined, counts.pages);
  let loads = 0;
  const load = async () => {
    loads += 1;
    await turn();
    return { bytes: Buffer.from(`{"n":${loads}}`), state: "s2" };
  };
  const pages = await Promise.all([
    store.of("x").get("s1", "identity", load),
    store.of("x").get("s1", "identity", load),
  ]);
  assert.equal([loads, ...pages.map(({ state }) => state)], [1, "s2", "s2"]);
  // The state had changed during the load: the page is stored under the later state.
  const later = await store.of("x").get("s2", "identity", load);
  assert.equal([loads, later.bytes.toString()], [1, '{"n":1}']);
  await store.of("x").get("s1", "identity", load);
  assert.is(loads, 2);
  const failure = store.of("y").get("s1", "identity", () => Promise.reject(new Error("no")));
  assert.is(await Promise.resolve(failure).catch((error: Error) => error.message), "no");
  assert.ok(await store.of("y").get("s1", "identity", load));
});

Pages("evicts pages when they exceed the limit of bytes", async () => {
  const store = createPageCache(30_000, undefined, counts.pages);
  let loads = 0;
  const load = (state: string) => async () => {
    loads += 1;
    return { bytes: Buffer.alloc(8_000), state };
  };
  for (const state of ["a", "b", "c", "d", "e"]) await store.of("x").get(state, "identity", load(state));
  await store.of("x").get("e", "identity", load("e"));
  assert.is(loads, 5);
  await store.of("x").get("a", "identity", load("a"));
  assert.is(loads, 6);
});

Pages("stores a page or its script, whichever was asked for", async () => {
  const pages = createPageCache(1_000_000, undefined, counts.pages).of("x");
  let loads = 0;
  const load = (state: string) => async () => {
    loads += 1;
    return { bytes: Buffer.from('{"n":"</"}'), state };
  };
  const script = await pages.get("a", "script", load("a"));
  assert.is(script.bytes.toString(), '{"n":"<\\/"})');
  assert.is(pages.find("a", "script"), script);
  assert.is(pages.find("a", "identity"), undefined);
  await pages.get("b", "identity", load("b"));
  await pages.get("b", "script", load("b"));
  assert.is(loads, 2, "a script is made from the page in the process");
});

const redis = await startTestRedisFor("a Redis that is full");
const test = redis ? Pages : Pages.skip;
const connections: RedisConnection[] = [];

async function connect({ port } = redis as Pick<TestRedis, "port">): Promise<RedisConnection> {
  const connection = connectRedis([`redis://127.0.0.1:${port}`], "test", createLog("test", "silent"), 5_000);
  connections.push(connection);
  await eventually("Redis", async () => connection.isUsable());
  return connection;
}

Pages.after(async () => {
  for (const connection of connections) connection.close();
  await redis?.stop();
});

test("makes a page and its script from the page in Redis", async () => {
  const connection = await connect();
  let loads = 0;
  const open = () => createPageCache(1_000_000, connection, counts.pages).of("y");
  const ask = async (form: PageForm) => {
    const page = await open().get("a", form, async () => ({ bytes: Buffer.from(`{"n":${++loads}}`), state: "a" }));
    await connection.confirm();
    return page.bytes.toString();
  };
  assert.equal([await ask("script"), await ask("identity"), await ask("script")], ['{"n":1})', '{"n":1}', '{"n":1})']);
});

test("reads pages from a Redis that is full", async () => {
  const { send } = redis as TestRedis;
  const connection = await connect();
  const open = () => createPageCache(1_000_000, connection, counts.pages).of("x");
  let loads = 0;
  const load = (state: string) => async () => {
    loads += 1;
    return { bytes: Buffer.from(`{"n":${loads}}`), state };
  };
  await open().get("a", "identity", load("a"));
  await connection.confirm();
  await send("CONFIG SET maxmemory 1");
  const pages = open();
  await pages.get("b", "identity", load("b"));
  await connection.confirm();
  const { bytes } = await pages.get("a", "identity", load("a"));
  await send("CONFIG SET maxmemory 0");
  assert.equal([loads, bytes.toString()], [2, '{"n":1}']);
});

test("stores no more bytes in Redis than a process may within the lifetime of a page", async () => {
  const storage = createPageStorage(10_000, await connect(), counts.pages);
  const store = (key: string) => storage.store(key, plainPage({ bytes: Buffer.alloc(4_000, "{"), state: "a" }), "now");
  for (const key of ["bounded1", "bounded2", "bounded3"]) store(key);
  const found = await Promise.all(["bounded1", "bounded2", "bounded3"].map((key) => storage.fetch(key)));
  assert.equal(
    found.map((bytes) => bytes?.length),
    [4_000, 4_000, undefined],
  );
});

test("counts no bytes that an unavailable Redis was not sent", async () => {
  const proxy = await startFaultProxy((redis as TestRedis).port);
  const connection = await connect(proxy);
  const storage = createPageStorage(10_000, connection, counts.pages);
  proxy.refuse();
  await eventually("the loss", async () => !connection.isUsable());
  for (const key of ["lost1", "lost2"]) storage.storeInRedis(key, Buffer.alloc(4_000, "{"));
  proxy.heal();
  await eventually("Redis again", async () => connection.isUsable());
  storage.storeInRedis("sent", Buffer.alloc(4_000, "{"));
  assert.is((await storage.fetch("sent"))?.length, 4_000);
  connection.close();
  await proxy.close();
});

Pages("compresses with the encoding that the client prefers", () => {
  const cases: [string | undefined, string][] = [
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["gzip;q=0, *", "br"],
    ["*;q=0", "identity"],
    ["identity", "identity"],
    ["identity, gzip;q=0.5", "identity"],
    ["identity;q=0.5, br;q=0.4, gzip;q=0.5", "gzip"],
    ["GZIP ; Q=1", "gzip"],
    // Too long to be read.
    [`gzip${",".repeat(1_000)}`, "identity"],
  ];
  assert.equal(
    cases.map(([header]) => acceptedEncoding(header)),
    cases.map(([, encoding]) => encoding),
  );
});

Pages.run();
