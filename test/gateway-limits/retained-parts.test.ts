// V8 keeps a whole text in memory for a stored part of it: what caches store of a request must be a copy.

import * as assert from "uvu/assert";
import { type Asked, startFakeGateway } from "../gateway/fake-gateway.ts";
import { suite } from "../support/suite.ts";
import { usedMemory } from "./used-memory.ts";

const Retained = suite("what caches store of a request");

const requests = 150;
const unused = 45_000;

/** Bytes: all unused parts are 6.8 million, and stored calls with long URLs take at most 4. */
const maxGrown = 5_000_000;

/** More than 13 characters: V8 copies shorter parts. */
const name = (n: number) => `${n}`.padStart(15, "a");
const json = { "content-type": "application/json" };

const ways: Record<string, (n: number) => Asked> = {
  "a session id in a cookie": (n) => ({
    path: "/social/ann",
    headers: { cookie: `ss-id=${name(n)}; a=${"b".repeat(unused)}` },
  }),
  "a session id in a bearer token": (n) => ({
    path: "/social/ann",
    headers: { authorization: `Bearer ${" ".repeat(unused)}${name(n)}` },
  }),
  "a name in a path": (n) => ({ path: `/social/${name(n)}/timelines?a=${"b".repeat(unused)}` }),
  "a name in JSON": (n) => ({
    path: "/json/reply/SocialTimelines",
    method: "POST",
    headers: json,
    body: `{"screenName":"${name(n)}"${" ".repeat(unused)}}`,
  }),
  "a name in a batch": (n) => ({
    path: "/json/reply/SocialTimelines[]",
    method: "POST",
    headers: json,
    body: `[{"screenName":"${name(n)}"${" ".repeat(unused)}}]`,
  }),
  "names of a lookup": (n) => ({
    path: "/json/reply/SocialUsers",
    method: "POST",
    headers: json,
    body: `{"screenNames":["${name(n)}"]${" ".repeat(unused)}}`,
  }),
  "names of a viewer's lookup": (n) => ({
    path: "/json/reply/SocialUsers",
    method: "POST",
    headers: { ...json, authorization: "Bearer good" },
    body: `{"screenNames":["${name(n)}","b${name(n).slice(1)}"]${" ".repeat(unused)}}`,
  }),
  "a JSONP call": (n) => ({ path: `/social/${name(n)}/timelines?callback=f&_=${"1".repeat(unused)}` }),
};

for (const [title, way] of Object.entries(ways)) {
  Retained(`keeps no other part of it in memory: ${title}`, async () => {
    const gateway = await startFakeGateway({ pageCacheBytes: 64 * 1024 * 1024 });
    gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
    const ask = async (n: number) => assert.is((await gateway.send(way(n))).status, 200);
    try {
      await ask(requests);
      const before = usedMemory("heapUsed");
      for (let n = 0; n < requests; n++) await ask(n);
      gateway.calls.length = 0;
      gateway.logged.length = 0;
      const grown = usedMemory("heapUsed") - before;
      assert.ok(grown < maxGrown, `${requests} requests left ${grown} bytes`);
    } finally {
      await gateway.stop();
    }
  });
}

Retained.run();
