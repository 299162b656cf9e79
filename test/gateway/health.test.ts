import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import net from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Suite = suite("gateway health");
let gateway: FakeGateway;
Suite.before.each(async () => {
  gateway = await startFakeGateway();
});
Suite.after.each(() => gateway.stop());

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
  let checks = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  gateway.answers.check = () => {
    checks++;
    return answered.then(serving);
  };
  let received = 0;
  const count = () => void received++;
  subscribe("http.server.request.start", count);
  const replies = Promise.all(Array.from({ length: 20 }, () => readiness()));
  await eventually("all requests are there", async () => received === 20 && checks >= 2);
  unsubscribe("http.server.request.start", count);
  answer();
  assert.ok((await replies).every(({ status }) => status === 200));
  assert.is(checks, 2);
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
  gateway.answers.socialTimelines = () => {
    throw new ConnectError("no user has this name", Code.NotFound);
  };
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

function refuse(): never {
  throw new ConnectError("connect ECONNREFUSED 10.9.8.7:4002", Code.Unavailable);
}

const Stop = suite("gateway start and stop");

Stop("finishes requests under way, sends Connection: close, and frees the port", async () => {
  const gateway = await startFakeGateway();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    gateway.answers.socialUsers = () => {
      resolve();
      return new Promise((done) => (answer = () => done({ results: [] })));
    };
  });
  const reply = exchangeRaw(gateway.port, "GET /social/a HTTP/1.1\r\nHost: x\r\n\r\n");
  await asked;
  const stopped = gateway.stop().then(() => "stopped");
  assert.is(await Promise.race([stopped, reply.then(() => "answered"), settled()]), "waiting");
  answer();
  assert.equal(
    (await reply).map(({ status, headers }) => [status, headers.connection]),
    [[200, "close"]],
  );
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
  assert.equal(
    replies.map(({ status, headers }) => [status, headers.connection]),
    [[200, "close"]],
  );
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
  await new Promise((resolve) => setTimeout(resolve, 1_050));
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

Stop("reads which proxies are trusted, and refuses to trust every address", () => {
  assert.is(loadConfig({}).trustProxy, false);
  assert.equal(loadConfig({ TRUST_PROXY: "10.0.0.0/8,loopback" }).trustProxy, ["10.0.0.0/8", "loopback"]);
  // These would let a client choose its address.
  for (const anyAddress of ["true", "loopback,true", "0.0.0.0/0", "::/0"]) {
    assert.throws(() => loadConfig({ TRUST_PROXY: anyAddress }), /TRUST_PROXY must/, anyAddress);
  }
});

Stop("refuses to start with an invalid proxy address", async () => {
  const failed = await startFakeGateway({ trustProxy: ["nobody"] }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert.match(failed ?? "started", "nobody");
});

Stop.run();

/** Resolves after 50 ms, in which everything that is not blocked has ended. */
async function settled(): Promise<string> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  return "waiting";
}
