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
import { password, plainProfile, register } from "../support/people.ts";
import { startTestRedis } from "../support/redis.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const probe = await startTestRedis();
await probe?.stop();
if (!probe) console.log("!! No redis-server on this machine: unknown names were tested without Redis ONLY.");
describe("without Redis", async () => undefined);
if (probe) describe("with Redis", startTestRedis);

function describe(where: string, start: typeof startTestRedis): void {
  const Unknown = suite(`unknown names, ${where}`);
  const logged: Record<string, unknown>[] = [];
  let redis: Awaited<ReturnType<typeof start>>;
  let system: TestSystem;
  let second: Running;
  let session = "";
  const signedIn = { authorization: "" };
  const exchange = createExchange();

  Unknown.before(async () => {
    redis = await start();
    const settings = redis ? { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000" } : {};
    system = await startTestSystem(settings);
    const env = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, GATEWAY_PORT: "0", ...settings };
    second = await startGateway(loadConfig(env), createLog("gateway", "info", collectLog(logged)));
    await register(system, "reader");
    session = (await system.clients.accountPeople.authenticate({ userName: "reader", password })).sessionId;
    signedIn.authorization = `Bearer ${session}`;
  });
  Unknown.after(async () => {
    exchange.close();
    await second?.close();
    await system?.stop();
    await redis?.stop();
  });

  /** The replies of both gateways to reads of a user's timeline: by path, for a viewer too, by a body and by JSONP, three times, so that they are cached. */
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
      ["?callback=f", {}],
      ["?callback=f", { origin: "https://a.example" }],
    ] as const) {
      const replies = [];
      // The router reads a percent-encoded name of a field; the fast path reads only others.
      for (const target of ["", "?%74ake=20"].map((other) => path + join(query, other))) {
        for (const method of ["GET", "HEAD"]) {
          for (let time = 0; time < 2; time++) {
            logged.length = 0;
            const reply = await fetch(target, { method, headers });
            const { date: _, ...seen } = Object.fromEntries(reply.headers);
            replies.push({ method, status: reply.status, seen, text: await reply.text() });
          }
        }
      }
      await sleep(20);
      const gets = replies.filter(({ method }) => method === "GET");
      for (const reply of gets) assert.equal(reply, gets[0]);
      const heads = replies.filter(({ method }) => method === "HEAD");
      for (const reply of heads) assert.equal(reply, heads[0]);
    }
    for (const headers of [{}, signedIn]) {
      await fetch(path, { headers });
      await sleep(20);
      const { ms: _, time: __, ...line } = logged.filter(({ msg }) => msg === "request").at(-1) ?? {};
      const expected = { operation: "SocialTimelines", method: "GET", status: 404, errorCode: "NotFound" };
      for (const [key, value] of Object.entries(expected)) assert.is(line[key], value);
      assert.is(line["reference"], undefined);
    }
  });

  Unknown(
    "are shown at every gateway from their registration on, and are unknown again after their deletion",
    async () => {
      const name = newName();
      assert.equal(await look(name), unknown);
      const userId = await register(system, name);
      assert.equal(await look(name.toUpperCase()), known);
      assert.equal(await look(name), known);
      await system.clients.account.deleteAccount({ userId });
      assert.equal(await look(name), unknown);
    },
  );

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

  Unknown("include the former name of a renamed user, whose new name is shown, from the answer on", async () => {
    const [former, next] = [newName(), newName()];
    const userId = BigInt(`0x${randomBytes(5).toString("hex")}`);
    const importAs = (screenName: string) =>
      system.clients.imports.importProfiles({
        origin: "x",
        profiles: [{ userId, originId: `${userId}`, profile: { ...plainProfile, screenName } as never }],
      });
    await importAs(former);
    for (const [held, free] of [
      [former, next],
      [next, former],
      [former, next],
    ] as const) {
      await importAs(held);
      assert.equal(await look(held), known);
      assert.equal(await look(free), unknown);
    }
  });

  Unknown("are left out of lookups until they are registered", async () => {
    const [name, other] = [newName(), newName()];
    await register(system, other);
    const names = async (path: string) => {
      const found = [];
      for (let time = 0; time < 2; time++) {
        for (const { url } of [system, second]) {
          const { results } = (await (await fetch(url + path)).json()) as { results: { screen_name: string }[] };
          found.push(results.map(({ screen_name }) => screen_name).join());
        }
      }
      return [...new Set(found)];
    };
    const path = `/social/${name},${other}`;
    assert.equal(await names(path), [other]);
    await register(system, name);
    assert.equal(await names(path), [`${name},${other}`]);
  });

  Unknown.run();
}

function join(query: string, other: string): string {
  return query === "" ? other : query + other.replace("?", "&");
}

function errorCodeIn(json: string): unknown {
  return (JSON.parse(json) as { responseStatus?: { errorCode?: string } }).responseStatus?.errorCode;
}
