import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { type LaunchedProcess, launchProcess } from "../support/launch.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import type { TestDatabase } from "../support/test-database.ts";

const Stopping = suite("processes that stop, and that must not");
let database: TestDatabase;
let social: LaunchedProcess;
let gateway: LaunchedProcess;
/** The way from the gateway to the social service. */
let wire: FaultProxy;

Stopping.before(async () => {
  database = await createTestDatabase();
  social = await launchProcess("social", { SOCIAL_DATABASE_URL: database.social });
  wire = await startFaultProxy(portOf(social.url));
  gateway = await launchProcess("gateway", { SOCIAL_URL: wire.url, SERVICE_TIMEOUT_MS: "500" });
});
Stopping.after(async () => {
  await gateway.kill();
  await social.kill();
  await wire.close();
  await database.drop();
});

Stopping(
  "a gateway keeps running when connections to a service hang, break or return garbage, also during calls",
  async () => {
    const lookUp = async () => (await fetch(`${gateway.url}/social/unknown`)).status;
    // The first calls of a process on a busy machine may take half a second.
    const untilServed = () => eventually("it serves", async () => (await lookUp()) === 200);
    await untilServed();
    for (const breaks of [() => wire.stall(), () => wire.refuse(), () => wire.answer("\0\0\x12\x04\0\0\0\0\0")]) {
      wire.delay(40);
      const calls = Array.from({ length: 20 }, lookUp);
      await sleep(20);
      breaks();
      calls.push(...Array.from({ length: 20 }, lookUp));
      for (const status of await Promise.all(calls)) assert.ok([200, 503, 504].includes(status), String(status));
      wire.heal();
      wire.delay(0);
      await untilServed();
    }
    assert.is(gateway.exitCode(), undefined);
  },
);

Stopping(
  "a service keeps running when connections of gRPC callers hang or break, or callers end during calls",
  async () => {
    const way = await startFaultProxy(portOf(social.url));
    for (const breaks of [() => way.stall(), () => way.refuse()]) {
      const pings = { pingIntervalMs: 50, pingTimeoutMs: 50 };
      const health = createClient(Health, createGrpcTransport({ baseUrl: way.url, ...pings }));
      const over = new AbortController();
      const watches = Array.from({ length: 5 }, async () => {
        for await (const _ of health.watch({}, { signal: over.signal }));
      });
      // Each may end at any moment: a machine that is busy answers no ping in time.
      const watched = Promise.allSettled(watches);
      await eventually("a connection", async () => (await health.check({}).catch(() => undefined)) !== undefined);
      const checks = Array.from({ length: 20 }, () => health.check({}, { timeoutMs: 1_000 }));
      breaks();
      await Promise.allSettled(checks);
      over.abort();
      await watched;
      way.heal();
    }
    await way.close();
    const { status } = await createClient(Health, createGrpcTransport({ baseUrl: social.url })).check({});
    assert.is(status, 1);
    assert.is(social.exitCode(), undefined);
  },
);

Stopping(
  "a gateway ends with code 0 within 10 s with idle connections, half a request and a client that does not read",
  async () => {
    const whole = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    const half = "POST /register HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{";
    await stopWith(gateway, whole, half, 100);
  },
);

Stopping(
  "a service ends with code 0 within 10 s with open streams, idle sessions and idle connections of all kinds",
  async () => {
    const health = createClient(Health, createGrpcTransport({ baseUrl: social.url }));
    const statuses: number[] = [];
    const watched = (async () => {
      for await (const { status } of health.watch({})) statuses.push(status);
    })();
    const head = "POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    await stopWith(social, `${head}Content-Length: 2\r\n\r\n{}`, `${head}Content-Length: 200\r\n\r\n{`, 1_200);
    await watched;
    // Watchers are notified before their stream ends.
    assert.equal(statuses, [1, 2]);
  },
);

Stopping.run();

/** Stops a process that has an idle connection after a whole request, one with half a request, and a silent one. */
async function stopWith(stopped: LaunchedProcess, whole: string, half: string, pauseMs: number): Promise<void> {
  const open = async (bytes: string) => {
    const socket = net.connect(portOf(stopped.url), "127.0.0.1").on("error", () => {});
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  };
  const idle = await open(whole);
  await once(idle, "data");
  const sockets = [idle, await open(half), await open("")];
  await sleep(pauseMs);
  const { code, seconds } = await stopped.stop();
  assert.ok(seconds < 10.5, `${seconds} s`);
  assert.is(code, 0);
  for (const socket of sockets) socket.destroy();
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
