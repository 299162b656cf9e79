import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/listen.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { scrape } from "../support/scrape.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem } from "../support/system.ts";

const Users = suite("a Redis user with the rights that docs/operations.md names");
const redis = await startTestRedisFor("users of Redis with access rules");
const test = redis ? Users : Users.skip;
Users.after(async () => redis?.stop());

test("may run all commands that the processes send to Redis", async () => {
  if (redis === undefined) return;
  const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const [rights = ""] = /(?<=^ACL SETUSER roost ).*/m.exec(operations) ?? [];
  assert.is(await redis.send(`ACL SETUSER roost ${rights.replace(/>\S+/, ">secret")}`), "+OK\r\n");
  const url = redis.url.replace("//", "//roost:secret@");
  const adminPort = await freePort();
  const system = await startTestSystem({
    GATEWAY_ADMIN_PORT: `${adminPort}`,
    REDIS_URL: url,
    RATE_LIMIT_REDIS_URL: url,
    RATE_LIMITS: "on",
    STATUSES_PER_3_HOURS: "1000",
    REDIS_TIMEOUT_MS: "10000",
  });
  const as = (token: string) => ({ headers: { ...(token && { authorization: `Bearer ${token}` }) } });
  const post = (path: string, body: object, token = "") =>
    fetch(system.url + path, { method: "POST", body: JSON.stringify(body), ...as(token) });
  try {
    const account = { userName: "ann", password: "correct horse" };
    const { sessionId } = (await (await post("/register", { ...account, autoLogin: true })).json()) as {
      sessionId: string;
    };
    // Limits of names, addresses and writes, and pages.
    await post("/auth", { ...account, provider: "credentials", password: "wrong" });
    // It counts, and is then given back.
    const lost = { text: "to no one", inReplyToScreenName: "ann", inReplyToStatusId: "1" };
    assert.is((await post("/timelines/publish", lost, sessionId)).status, 404);
    await eventually("pages are looked for", async () => {
      await post("/timelines/publish", { text: "one more" }, sessionId);
      for (const token of ["", sessionId]) await fetch(`${system.url}/social/ann/timelines`, as(token));
      const { value } = await scrape(`http://127.0.0.1:${adminPort}`);
      return value('roost_cache_lookups_total{layer="redis",result="miss"}') > 0;
    });
    await post("/auth/logout", {}, sessionId);
  } finally {
    await system.stop();
  }
  assert.is(await redis.send("ACL LOG"), "*0\r\n");
});

Users.run();
