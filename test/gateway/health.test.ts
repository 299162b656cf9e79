import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { eventually } from "../support/eventually.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";
import { startFakeGateway, useNewFakeGateways } from "./fake-gateway.ts";
import { exchangeRaw, type RawReply } from "./raw-socket.ts";

const Suite = suite("gateway health");
const gateway = useNewFakeGateways(Suite);

const serving = () => ({ status: Status.SERVING });

async function readiness() {
  const { status, headers, text } = await gateway.send({ path: "/readyz" });
  return { status, retryAfter: headers["retry-after"], body: JSON.parse(text) as Record<string, unknown> };
}

Suite("is alive whatever the services' health, and ready when they are serving", async () => {
  assert.equal(await readiness(), { status: 200, retryAfter: undefined, body: { ready: true, reasons: [] } });
  gateway.answers.check = () => ({ status: Status.NOT_SERVING });
  const { status, text, headers } = await gateway.send({ path: "/livez" });
  assert.equal([status, text, headers["cache-control"]], [200, '{"alive":true}', "no-store"]);
});

Suite("reports why it is not ready, also in the error shape, without the services' texts", async () => {
  const answers = [() => ({ status: Status.NOT_SERVING }), () => refuse()];
  gateway.answers.check = () => (answers.shift() ?? serving)();
  const { status, retryAfter, body } = await readiness();
  const reasons = ["account: not serving", "social: no answer"];
  const message = `Not ready: ${reasons.join("; ")}.`;
  assert.equal([status, retryAfter], [503, "1"]);
  assert.equal(body, { ready: false, reasons, responseStatus: { errorCode: "ServiceUnavailable", message } });
  assert.is((await readiness()).status, 200);
});

Suite("checks the services once for all concurrent requests", async () => {
  const checks: string[] = [];
  const { work, end } = openWork(checks);
  gateway.answers.check = () => work().then(serving);
  let received = 0;
  const count = () => void received++;
  subscribe("http.server.request.start", count);
  const replies = Promise.all(Array.from({ length: 20 }, () => readiness()));
  await eventually("all requests are there", async () => received === 20 && checks.length >= 2);
  unsubscribe("http.server.request.start", count);
  end();
  assert.ok((await replies).every(({ status }) => status === 200));
  assert.is(checks.length, 2);
});

Suite("makes each cached read once before it is first ready, and none while its services are not", async () => {
  gateway.answers.check = () => ({ status: Status.NOT_SERVING });
  assert.is((await readiness()).status, 503);
  assert.equal(gateway.calls, []);
  gateway.answers.check = serving;
  for (let round = 0; round < 2; round++) assert.is((await readiness()).status, 200);
  assert.equal(gateway.calls.map(({ operation }) => operation).sort(), ["SocialTimelines", "SocialUsers"]);
});

Suite("is ready though the reads before fail", async () => {
  gateway.answers.socialUsers = () => refuse();
  gateway.answers.socialTimelines = () => refuse(Code.NotFound);
  assert.is((await readiness()).status, 200);
});

Suite("answers GET and HEAD at its two paths without regard to case, and wraps JSONP calls", async () => {
  const ask = async (method: string, path: string) => {
    const { status, text, headers } = await gateway.send({ method, path });
    return [status, text.slice(0, 12), headers.allow];
  };
  assert.equal(await ask("HEAD", "/readyz"), [200, "", undefined]);
  assert.equal(await ask("GET", "/LiveZ/"), [200, '{"alive":tru', undefined]);
  assert.equal(await ask("POST", "/livez"), [405, '{"responseSt', "GET, HEAD"]);
  assert.equal(await ask("GET", "/livez/x"), [404, '{"responseSt', undefined]);
  assert.equal(await ask("GET", "/readyz?callback=f"), [200, 'f({"ready":t', undefined]);
});

Suite.run();

function refuse(code = Code.Unavailable): never {
  throw new ConnectError("connect ECONNREFUSED 10.9.8.7:4002", code);
}

const Stop = suite("gateway start and stop");

Stop("finishes requests under way, sends Connection: close, and frees the port", async () => {
  const gateway = await startFakeGateway();
  const { work, end } = openWork();
  gateway.answers.socialUsers = () => work().then(() => ({ results: [] }));
  const reply = exchangeRaw(gateway.port, "GET /social/a HTTP/1.1\r\nHost: x\r\n\r\n");
  await eventually("the request", async () => gateway.calls.length === 1);
  const stopped = gateway.stop().then(() => "stopped");
  assert.is(await Promise.race([stopped, reply.then(() => "answered"), settled()]), "waiting");
  end();
  isLastReply(await reply);
  assert.is(await stopped, "stopped");
  await fetch(gateway.url).then(
    () => assert.unreachable("it still listens"),
    () => {},
  );
});

for (const [path, how] of [
  ["/social/ann/timelines", "which was made before"],
  ["/social/bob/timelines", "which was not made before"],
] as const) {
  Stop(`sends in full a long reply that the client is reading, ${how}`, async () => {
    const gateway = await startFakeGateway();
    const results = Array.from({ length: 200 }, (_, index) => ({ id: BigInt(index + 1), text: "x".repeat(20_000) }));
    gateway.answers.socialTimelines = () => ({ results, version: "s1.0" });
    const { text } = await gateway.send({ path: "/social/ann/timelines" });
    // It does not end its own side.
    const socket = net.connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "readable");
    const stopped = gateway.stop();
    await settled();
    let length = 0;
    socket.on("data", (bytes: Buffer) => (length += bytes.length));
    await once(socket, "end");
    assert.ok(length > text.length, `${length} of ${text.length} bytes`);
    const read = performance.now();
    await stopped;
    // Not after the four seconds that requests under way have.
    assert.ok(performance.now() - read < 2_000);
    socket.destroy();
  });
}

Stop("serves a request of which a part had arrived when the stop began", async () => {
  const gateway = await startFakeGateway();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped = gateway.stop();
  };
  const replies = await exchangeRaw(gateway.port, ["GET /social/a HTTP/1.1\r\n", stop, "Host: x\r\n\r\n"]);
  isLastReply(replies);
  await stopped;
});

Stop("is not ready during drainMs, and closes keep-alive connections in its second half", async () => {
  const gateway = await startFakeGateway({ drainMs: 2_000 });
  const ask = async (path: string) => {
    const { status, headers } = await gateway.send({ path, headers: { connection: "keep-alive" } });
    return [status, headers.connection];
  };
  // The same path twice, so that the second request takes the fast path.
  const paths = ["/social/a", "/social/a", "/social/b"];
  for (const path of paths) assert.equal(await ask(path), [200, "keep-alive"]);
  const stopped = gateway.stop();
  const ready = await gateway.send({ path: "/readyz" });
  assert.equal([ready.status, ready.headers.connection], [503, "keep-alive"]);
  assert.match(ready.text, '"reasons":["gateway: stopping"]');
  for (const path of paths) assert.equal(await ask(path), [200, "keep-alive"]);
  await sleep(1_050);
  for (const path of paths) assert.equal(await ask(path), [200, "close"]);
  await stopped;
});

Stop("stops at once when all connections are idle", async () => {
  const gateway = await startFakeGateway();
  await gateway.send({ path: "/social/a" });
  const begun = performance.now();
  await gateway.stop();
  // Not after the five seconds for which an idle connection is kept.
  assert.ok(performance.now() - begun < 3_000);
});

Stop.run();

function isLastReply([reply]: readonly RawReply[]): void {
  assert.equal([reply?.status, reply?.headers.connection], [200, "close"]);
}

/** Resolves after 50 ms, in which everything that is not blocked has ended. */
async function settled(): Promise<string> {
  for (let turn = 0; turn < 10; turn++) await sleep(5);
  return "waiting";
}
