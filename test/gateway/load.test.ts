import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createLoadShedding } from "../../gateway/http/load/load-shedding.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { eventually } from "../support/eventually.ts";
import { keepBusy, openWork } from "../support/open-work.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { startFakeGateway } from "./fake-gateway.ts";

const Load = suite("gateway under load");
const shed = '{"responseStatus":{"errorCode":"ServiceUnavailable","message":"The server is overloaded."}}';

Load("answers 503 above the concurrency limit, and serves again after that", async () => {
  const gateway = await startFakeGateway({ maxConcurrent: 2 });
  // Before it is first ready it makes reads of its own.
  assert.is((await gateway.send({ path: "/readyz" })).status, 200);
  const waiting: string[] = [];
  const { work, end } = openWork(waiting);
  gateway.answers.socialUsers = () => work().then(() => ({ results: [] }));
  const first = [gateway.send({ path: "/social/ids/1" }), gateway.send({ path: "/social/ids/2" })];
  await eventually("two requests are under way", async () => waiting.length === 2);

  const { status, headers, text } = await gateway.send({ path: "/social/c" });
  assert.equal([status, headers["retry-after"], headers["cache-control"], text], [503, "1", "no-store", shed]);
  const big = await gateway.send({ method: "POST", path: "/register", body: "x".repeat(500_000) });
  assert.is(big.status, 503);
  const script = await gateway.send({ path: "/social/c?callback=f" });
  assert.equal([script.status, script.text], [200, `f(${shed})`]);
  const preflight = { "access-control-request-method": "GET" };
  assert.is((await gateway.send({ method: "OPTIONS", path: "/social/c", headers: preflight })).status, 503);
  for (const path of ["/livez", "/readyz"]) assert.is((await gateway.send({ path })).status, 200, path);
  assert.is(waiting.length, 2);

  end();
  assert.equal(valuesOf(await Promise.all(first), "status"), [200, 200]);
  assert.is((await gateway.send({ path: "/social/c" })).status, 200);
  // One line for each request and no warnings, so that many refusals do not fill the log.
  const wrong = gateway.logged.filter((line) => Number(line.level) > 30);
  assert.equal(wrong, []);
  await gateway.stop();
});

Load("does not count requests whose body has not arrived yet", async () => {
  const gateway = await startFakeGateway({ maxConcurrent: 1 });
  const slow = net.connect(gateway.port, "127.0.0.1");
  slow.write("POST /social/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  await once(slow, "connect");
  assert.is((await gateway.send({ path: "/social/b" })).status, 200);
  slow.destroy();
  await gateway.stop();
});

Load("answers 503 to a batch of known pages where others came while its body arrived", async () => {
  const gateway = await startFakeGateway({ pageCacheBytes: 2 ** 20, maxConcurrent: 1 });
  const path = "/json/reply/SocialTimelines[]";
  // Too long for the fast path.
  const body = `[{"screenName":"ann"}${" ".repeat(2_000)}]`;
  assert.is((await gateway.send({ method: "POST", path, body })).status, 200);
  const headers = { expect: "100-continue", "content-length": body.length };
  const batch = request(`${gateway.url}${path}`, { method: "POST", headers });
  batch.flushHeaders();
  await once(batch, "continue");
  const { work, end } = openWork();
  gateway.answers.socialUsers = () => work().then(() => ({ results: [] }));
  const other = gateway.send({ path: "/social/ids/1" });
  await eventually("the other request", async () => gateway.calls.at(-1)?.operation === "SocialUsers");
  const replied = once(batch, "response") as Promise<[IncomingMessage]>;
  batch.end(body);
  const [reply] = await replied;
  assert.is(reply.resume().statusCode, 503);
  end();
  await other;
  await gateway.stop();
});

Load("answers 503 while its event loop is blocked for too long, also to cached reads", async () => {
  const gateway = await startFakeGateway({ maxLoopDelayMs: 150, pageCacheBytes: 2 ** 20 });
  let count = 0;
  // A known target takes the fast path, a new one the router.
  const answer = (status: number) =>
    eventually(`${status}`, async () => {
      const paths = ["/social/a/timelines", `/social/a/timelines?x=${count++}`];
      const replies = await Promise.all(paths.map((path) => gateway.send({ path })));
      return replies.every((reply) => reply.status === status);
    });
  await answer(200);
  const calmDown = keepBusy();
  await answer(503).finally(calmDown);
  await answer(200);
  await gateway.stop();
});

for (const [where, pageCacheBytes, rpc] of [
  ["with a cache", 2 ** 20, "listVersions"],
  ["without a cache", 0, "socialTimelines"],
] as const) {
  Load(`asks a service that fails once for each request, which counts no longer then, ${where}`, async () => {
    const gateway = await startFakeGateway({ pageCacheBytes, maxConcurrent: 1 });
    const send = async () => (await gateway.send({ path: "/social/ann/timelines" })).status;
    // The second request and all later ones take the fast path.
    assert.equal([await send(), await send()], [200, 200]);
    const sound = gateway.answers[rpc];
    let asked = 0;
    gateway.answers[rpc] = () => {
      asked++;
      throw new ConnectError("away", Code.Unavailable);
    };
    for (let time = 1; time <= 3; time++) assert.equal([await send(), asked], [503, time]);
    Object.assign(gateway.answers, { [rpc]: sound });
    assert.is(await send(), 200);
    await gateway.stop();
  });
}

Load("refuses from the second consecutive slow second, whatever came before, until one is not slow", async () => {
  const load = createLoadShedding({ maxConcurrent: 1, maxLoopDelayMs: 300 }, { value: 0 });
  const judged: boolean[] = [];
  let isNext = () => {};
  // Of the same interval and made later, it runs right behind the judgement.
  const timer = setInterval(() => {
    judged.push(load.isOverloaded());
    isNext();
  }, 1_000);
  const next = () => new Promise<void>((resolve) => (isNext = resolve));
  await next();
  const calmDown = keepBusy();
  await next();
  await next();
  calmDown();
  await next();
  if (judged.at(-1)) await next();
  clearInterval(timer);
  load.close();
  assert.equal([...judged.slice(0, 3), judged.at(-1)], [false, false, true, false]);
});

Load("lets others call while one caller waits, counted over all operations, also after failed calls", async () => {
  const gateway = await startFakeGateway();
  gateway.answers.getSession = ({ sessionId }) => ({ userId: BigInt(sessionId) });
  const ask = async (caller: string, operation: string) => {
    const headers = caller === "anonymous" ? {} : { authorization: `Bearer ${caller}` };
    return (await gateway.send({ path: `/social/ann/${operation}`, headers })).status;
  };
  gateway.answers.people.socialFollowers = () => {
    throw new ConnectError("no", Code.Internal);
  };
  for (let time = 0; time < 20; time++) assert.is(await ask("1", "followers"), 500);

  gateway.calls.length = 0;
  const { work, end } = openWork();
  const wait = () => work().then(() => ({}));
  gateway.answers.people = { socialFollowers: wait, socialFriends: wait };
  const callers = [...Array<string>(20).fill("1"), ...Array<string>(60).fill("anonymous"), "2"];
  const replies = Promise.all(callers.map((one, index) => ask(one, index % 2 === 0 ? "followers" : "friends")));
  await eventually("all that may run", async () => gateway.calls.length >= 16 + 48 + 1);
  await sleep(50);
  const running: Record<string, number> = {};
  for (const { header } of gateway.calls) {
    const caller = header.get(viewerHeader) ?? "anonymous";
    running[caller] = (running[caller] ?? 0) + 1;
  }
  assert.equal(running, { 1: 16, 2: 1, anonymous: 48 });
  end();
  assert.equal(new Set(await replies), new Set([200]));
  await gateway.stop();
});

Load.run();
