import { createServer, type Socket } from "node:net";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { createDatabaseProbe } from "../../services/platform/postgres/probe.ts";
import { listen } from "../support/listen.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Suite = suite("health");
const log = createLog("test", "silent");
let server: Running;
let ready = true;
let isPartWell = true;

Suite.before.each(async () => {
  ready = true;
  isPartWell = true;
  const healthParts = new Map([["a-part", async () => isPartWell]]);
  const options = { host: "127.0.0.1", port: 0, log, isReady: async () => ready, healthParts };
  server = await serveRpc(options, (router) => router.service(SocialService, {}));
});
Suite.after.each(() => server.close());

const overGrpc = () => createClient(Health, createGrpcTransport({ baseUrl: server.url }));
const overHttp1 = () => createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: "1.1" }));

Suite("reports the state of the process and of each service by name", async () => {
  for (const isReady of [true, false]) {
    ready = isReady;
    for (const client of [overGrpc(), overHttp1()]) {
      for (const service of ["", SocialService.typeName, Health.typeName]) {
        assert.is((await client.check({ service })).status, isReady ? Status.SERVING : Status.NOT_SERVING, service);
      }
    }
  }
});

Suite("reports the state of a part by its name, separately from the services'", async () => {
  for (const [isReady, isWell] of [
    [true, false],
    [false, true],
  ] as const) {
    [ready, isPartWell] = [isReady, isWell];
    const { status } = await overGrpc().check({ service: "a-part" });
    assert.is(status, isWell ? Status.SERVING : Status.NOT_SERVING);
    assert.is((await overGrpc().check({})).status, isReady ? Status.SERVING : Status.NOT_SERVING);
  }
});

Suite("answers NotFound for an unknown service, and SERVICE_UNKNOWN to its watchers", async () => {
  assert.is((await refusalOf(overGrpc().check({ service: "social.v1.Nothing" }))).code, "NotFound");
  for await (const { status } of overGrpc().watch({ service: "social.v1.Nothing" })) {
    assert.is(status, Status.SERVICE_UNKNOWN);
    break;
  }
});

for (const [name, client] of Object.entries({ gRPC: overGrpc, "Connect over HTTP/1.1": overHttp1 })) {
  Suite(`reports every change to a watcher over ${name}, also that the process ends`, async () => {
    const seen: Status[] = [];
    let closed: Promise<void> | undefined;
    for await (const { status } of client().watch({ service: SocialService.typeName })) {
      seen.push(status);
      if (seen.length === 1) ready = false;
      if (seen.length === 2) ready = true;
      if (seen.length === 3) closed = server.close();
    }
    await closed;
    assert.equal(seen, [Status.SERVING, Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
  });
}

Suite("reports a database that does not answer as unavailable", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  const port = await listen(silent);
  const probe = createDatabaseProbe(`postgres://nobody@127.0.0.1:${port}/nothing`, "test", log);
  assert.equal(await Promise.all([probe.isAnswering(), probe.isAnswering()]), [false, false]);
  assert.is(sockets.size, 1);
  for (const socket of sockets) socket.destroy();
  await probe.close();
  await new Promise((resolve) => silent.close(resolve));
});

Suite.run();
