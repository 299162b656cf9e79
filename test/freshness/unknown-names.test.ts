// 404 to an unknown name is answered from the cache, and never when a user has the name.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { createExchange } from "../people/exchange.ts";
import { collectLog } from "../support/collect-log.ts";
import { register, registerSignedIn } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const redis = await startTestRedisFor("unknown names, with Redis");
for (const url of redis ? [undefined, redis.url] : [undefined]) describe(url);

function describe(redisUrl: string | undefined): void {
  const Unknown = suite(`unknown names, ${redisUrl ? "with Redis" : "without Redis"}`);
  const logged: Record<string, unknown>[] = [];
  let system: TestSystem;
  let second: Running;
  let session = "";
  const signedIn = { authorization: "" };
  const exchange = createExchange();

  Unknown.before(async () => {
    const settings = redisUrl ? { REDIS_URL: redisUrl, REDIS_TIMEOUT_MS: "10000" } : {};
    system = await startTestSystem(settings);
    const env = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, GATEWAY_PORT: "0", ...settings };
    second = await startGateway(loadConfig(env), createLog("gateway", "info", collectLog(logged)));
    session = (await registerSignedIn(system, "reader")).sessionId;
    signedIn.authorization = `Bearer ${session}`;
  });
  Unknown.after(async () => {
    exchange.close();
    await second?.close();
    await system?.stop();
    if (redisUrl !== undefined) await redis?.stop();
  });

  /**
   * The replies of both gateways to reads of a user's timeline, without repetitions: by path, for a viewer too, by a body and by JSONP,
   * three times, so that they are cached.
   */
  async function look(name: string): Promise<unknown[]> {
    const told = new Set<string>();
    for (let time = 0; time < 3; time++) {
      for (const { url } of [system, second]) {
        const path = `/social/${name}/timelines`;
        const replies = [
          await exchange.ask(url, { path }),
          await exchange.ask(url, { path, session }),
          await exchange.ask(url, { path: "/json/reply/SocialTimelines", fields: { screenName: name } }),
        ];
        for (const { status, errorCode } of replies) told.add(`${status} ${errorCode}`);
        const script = await (await fetch(`${url}${path}?callback=f`)).text();
        assert.match(script, /^f\(.*\)$/s);
        told.add(`${script.includes("responseStatus") ? "" : "200 "}${errorCodeIn(script.slice(2, -1))}`);
      }
    }
    return [...told];
  }

  const unknown = ["404 NotFound", "NotFound"];
  const known = ["200 undefined"];
  const suspended = ["403 Suspended", "Suspended"];
  const newName = () => `name_${randomBytes(5).toString("hex")}`;

  Unknown("are refused by the fast path as by the router", async () => {
    const path = `${second.url}/social/${newName()}/timelines`;
    for (const [query, headers] of [
      ["", {}],
      ["", signedIn],
      ["", { origin: "https://a.example" }],
      ["", { "if-none-match": '"x", *' }],
      ["callback=f", {}],
      ["callback=f", { origin: "https://a.example" }],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const replies = [];
        // The router reads a percent-encoded name of a field; the fast path reads only others.
        const [known, routed] = [query === "" ? path : `${path}?${query}`, `${path}?${query}&%74ake=20`];
        for (const target of [known, known, routed, routed]) {
          const reply = await fetch(target, { method, headers });
          const { date: _, ...seen } = Object.fromEntries(reply.headers);
          replies.push({ status: reply.status, seen, text: await reply.text() });
        }
        for (const reply of replies) assert.equal(reply, replies[0]);
      }
    }
    for (const headers of [{}, signedIn]) {
      await fetch(path, { headers });
      await sleep(20);
      const { operation, status, errorCode, reference } = logged.findLast(({ msg }) => msg === "request") ?? {};
      // Only the router's lines have a reference.
      assert.equal([operation, status, errorCode, reference], ["SocialTimelines", 404, "NotFound", undefined]);
    }
  });

  Unknown("are shown at every gateway from their registration on, until their deletion", async () => {
    const name = newName();
    assert.equal(await look(name), unknown);
    const userId = await register(system, name);
    assert.equal(await look(name.toUpperCase()), known);
    assert.equal(await look(name), known);
    await system.clients.account.deleteAccount({ userId });
    assert.equal(await look(name), unknown);
  });

  Unknown("are distinguished from those of suspended users, who are shown from their reinstatement on", async () => {
    const [name, never] = [newName(), newName()];
    assert.equal(await look(name), unknown);
    const userId = await register(system, name);
    for (let round = 0; round < 2; round++) {
      await system.clients.moderation.suspend({ userId });
      assert.equal(await look(never), unknown);
      assert.equal(await look(name), suspended);
      await system.clients.moderation.reinstate({ userId });
      assert.equal(await look(name), known);
    }
    await system.clients.moderation.suspend({ userId });
    assert.equal(await look(name), suspended);
    await system.clients.account.deleteAccount({ userId });
    assert.equal(await look(name), unknown);
  });

  Unknown.run();
}

function errorCodeIn(json: string): unknown {
  return (JSON.parse(json) as { responseStatus?: { errorCode?: string } }).responseStatus?.errorCode;
}
