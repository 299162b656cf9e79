// Timelines whose author is stored once, and lookups that are made of entries, by each way in which a gateway sends them.
import { Buffer } from "node:buffer";
import * as assert from "uvu/assert";
import { maxBytesAssembled } from "../../gateway/http/limits/limits.ts";
import { holdAssembled } from "../../gateway/http/replies/assembled-replies.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { wasFast } from "./fast-replies.ts";

const Compact = suite("gateway replies whose parts are stored once");

const description = "d</script> \u2028 ä 😀 ".repeat(12);
const author = { screenName: "ann", description };
const results = Array.from({ length: 20 }, (_, id) => ({ id: BigInt(id + 1), text: `</b> ${id} \u2029 ö` }));

/** A cache, and a gateway without one. */
let gateway: FakeGateway;
let uncached: FakeGateway;

Compact.before(async () => {
  const sizes = [16 * 1024 * 1024, 0];
  [gateway, uncached] = (await Promise.all(
    sizes.map((pageCacheBytes) => startFakeGateway({ pageCacheBytes, redisUrls: [] })),
  )) as [FakeGateway, FakeGateway];
  for (const { answers } of [gateway, uncached]) {
    answers.listTokens = ({ screenNames }) => ({ tokens: screenNames.map((name) => `${name}.1`), keepMs: 60_000 });
    answers.socialTimelines = () => ({ results, author, freshness: "ann.1" });
    answers.socialUsers = ({ screenNames }) => ({
      results: screenNames.map((screenName) => ({ screenName, description, freshness: `${screenName}.1` })),
    });
  }
});
Compact.after(async () => {
  await Promise.all([gateway?.stop(), uncached?.stop()]);
});

interface Way {
  path: string;
  /** Of a POST. */
  body?: string;
  encoding?: string;
}

const timeline = '{"screenName":"ann","take":20}';
const plainTimeline: Way = { path: "/social/ann/timelines?take=20" };
const ways: Way[] = [
  plainTimeline,
  { path: "/social/ann/timelines?take=20&callback=f" },
  { path: "/social/ann/timelines?take=20", encoding: "gzip" },
  { path: "/json/reply/SocialTimelines", body: timeline },
  { path: "/json/reply/SocialTimelines[]", body: `[${timeline},${timeline}]` },
  { path: "/json/reply/SocialTimelines[]?callback=f", body: `[${timeline},${timeline}]` },
  { path: "/social/ann,bea,cay" },
  { path: "/social/ann,bea,cay?callback=f" },
  { path: "/social/ann,bea,cay", encoding: "gzip" },
  { path: "/json/reply/SocialUsers[]", body: '[{"screenNames":["ann","bea"]},{"screenNames":["cay"]}]' },
];

async function ask(from: FakeGateway, { path, body, encoding = "identity" }: Way): Promise<string> {
  const headers = { "accept-encoding": encoding, "content-type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers, body };
  const reply = await fetch(from.url + path, request);
  const text = await reply.text();
  assert.is(reply.status, 200);
  if (encoding === "identity") assert.is(Number(reply.headers.get("content-length")), Buffer.byteLength(text));
  return text;
}

for (const way of ways) {
  const name = `${way.path}, ${way.body ?? way.encoding ?? "plain"}`;
  Compact(`are the same by each part of the gateway: ${name}`, async () => {
    const plain = await ask(uncached, way);
    assert.ok(plain.includes("ä 😀"));
    // By the router, by the fast path, and by what the fast path keeps.
    for (let round = 0; round < 4; round++) assert.is(await ask(gateway, way), plain, `round ${round}`);
    const release = holdAssembled(maxBytesAssembled);
    for (let round = 0; round < 2; round++) assert.is(await ask(gateway, way), plain, "while many replies wait");
    release();
    assert.is(await ask(gateway, way), plain);
  });
}

Compact("are sent in parts by the router while many replies wait for their clients", async () => {
  for (let round = 0; round < 2; round++) await ask(gateway, plainTimeline);
  assert.ok(await wasFast(gateway));
  const release = holdAssembled(maxBytesAssembled);
  await ask(gateway, plainTimeline);
  assert.not(await wasFast(gateway));
  release();
  await ask(gateway, plainTimeline);
  assert.ok(await wasFast(gateway));
});

Compact.run();
