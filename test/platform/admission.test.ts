import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import * as assert from "uvu/assert";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { admitCallers, isLoopback } from "../../services/platform/connect/admission.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { serveAdmin } from "../../services/platform/metrics/admin-server.ts";
import { createRegistry } from "../../services/platform/metrics/registry.ts";
import { exchangeRaw, readUntilClosed } from "../gateway/raw-socket.ts";
import { freePort } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Admission = suite("admission");
const log = createLog("test", "silent");
let server: Running;
let port: number;

Admission.before(async () => {
  server = await serveRpc({ host: "127.0.0.1", port: 0, log, serviceTokens: ["secret"] }, (router) =>
    router.service(SocialService, { socialUsers: () => ({}), socialTimelines: () => ({}) }),
  );
  port = Number(new URL(server.url).port);
});
Admission.after(() => server.close());

/** The status that a caller gets: 200 when it is admitted. */
function statusFor(serviceTokens: string[], remoteAddress: string, presented?: string, url = ask): number {
  let status = 0;
  const response = { writeHead: (code: number) => (status = code), end: () => {} } as unknown as http.ServerResponse;
  const request = {
    url,
    socket: { remoteAddress },
    headers: { host: "localhost:4001", "roost-service-token": presented },
    rawHeaders: ["Host", "localhost:4001"],
  } as unknown as http.IncomingMessage;
  admitCallers(serviceTokens, () => (status = 200))(request, response);
  return status;
}

Admission("accepts callers on loopback without a token, and others only with one that is configured", () => {
  for (const address of ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
    assert.is(statusFor(["t"], address), 200, address);
  const outside = (tokens: string[], presented: (string | undefined)[]) =>
    presented.map((token) => statusFor(tokens, "10.0.0.7", token));
  assert.equal(outside(["secret"], [undefined, "Secret", "", "secret"]), [401, 401, 401, 200]);
  assert.equal(outside([], [undefined, "", "undefined"]), [401, 401, 401]);
  assert.equal(outside([""], [""]), [401]);
  // While it changes, the new and the old one.
  assert.equal(outside(["new", "old"], ["new", "old", "new,old", "older", ""]), [200, 200, 401, 401, 401]);
});

Admission("treats no other address as loopback", () => {
  assert.equal(["1.127.0.0", "::ffff:10.0.0.1", "fe80::1", "", undefined].filter(isLoopback), []);
});

const own = ["localhost", "LOCALHOST:4001", "roost.localhost:4001", "127.0.0.1", "127.1.2.3:4001", "[::1]:4001"];
const foreign =
  "evil.example evil.example:4001 127.0.0.1.evil.example localhost.evil.example evillocalhost localhost.".split(" ");
foreign.push("0.0.0.0:4001", "[::]:4001", "10.0.0.7:4001");
/** Hosts that make no valid URL, for which a library throws. */
const unreadable = ["", "localhost:x", "localhost:99999", "localhost, evil.example", "[::1", "a b"];

const check = `/${Health.typeName}/Check`;
const ask = `/${SocialService.typeName}/SocialUsers`;

/** The status that a caller on loopback gets with this Host. */
async function askAs(host: string, headers: http.OutgoingHttpHeaders = {}, path = ask): Promise<number> {
  const lines = Object.entries({ host, "content-type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${String(value)}\r\n`,
  );
  const [reply] = await exchangeRaw(port, `POST ${path} HTTP/1.1\r\n${lines.join("")}content-length: 2\r\n\r\n{}`);
  return reply?.status as number;
}

Admission("refuses a caller on loopback with another Host, as after DNS rebinding, without the token", async () => {
  for (const host of own) assert.is(await askAs(host), 200, host);
  for (const host of foreign) {
    assert.is(await askAs(host), 401, host);
    assert.is(await askAs(host, { "roost-service-token": "secret" }), 200, host);
    assert.is(await askAs(host, {}, "/grpc.reflection.v1.ServerReflection/Check"), 401, host);
  }
});

Admission("answers 400 to an invalid or missing Host, and keeps serving", async () => {
  for (const host of unreadable) {
    assert.is(await askAs(host), 400, host);
    assert.is(await askAs(host, { "roost-service-token": "secret" }), 400, host);
  }
  const [old] = await exchangeRaw(port, `POST ${ask} HTTP/1.0\r\ncontent-length: 2\r\n\r\n{}`);
  assert.is(old?.status, 400);
  assert.is(await askAs("localhost"), 200);
});

Admission("refuses browsers without the token, whatever the Host", async () => {
  assert.is(await askAs("localhost", { origin: "http://localhost:3000" }), 401);
  assert.is(await askAs("localhost", { origin: "null" }), 401);
  assert.is(await askAs("localhost", { "sec-fetch-site": "cross-site" }), 401);
  assert.is(await askAs("localhost", { origin: "http://localhost:3000", "roost-service-token": "secret" }), 200);
});

/** The status of a request over HTTP/2. */
async function askHttp2(headers: http2.OutgoingHttpHeaders): Promise<number | undefined> {
  const session = http2.connect(server.url);
  const stream = session.request({ ":method": "POST", ":path": ask, "content-type": "application/json", ...headers });
  stream.end("{}");
  const [reply] = (await once(stream, "response")) as [http2.IncomingHttpHeaders & { ":status"?: number }];
  stream.resume();
  await once(stream, "close");
  session.close();
  return reply[":status"];
}

Admission("checks :authority like Host", async () => {
  assert.is(await askHttp2({}), 200);
  assert.is(await askHttp2({ ":authority": "localhost" }), 200);
  assert.is(await askHttp2({ ":authority": "evil.example" }), 401);
  assert.is(await askHttp2({ ":authority": "evil.example", "roost-service-token": "secret" }), 200);
  assert.is(await askHttp2({ ":authority": "localhost", host: "evil.example" }), 400);
  assert.is(await askHttp2({ ":authority": "localhost:99999" }), 400);
});

Admission("refuses two Host headers, also with the token and after another call", async () => {
  const call = (headers: string) =>
    `POST ${ask} HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
  for (const twice of ["Host: localhost\r\nHost: evil.example\r\n", "host: localhost\r\nHOST: localhost\r\n"]) {
    const second = call(`${twice}roost-service-token: secret\r\nconnection: close\r\n`);
    const text = await readUntilClosed(port, call("Host: localhost\r\n") + second);
    assert.equal(text.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 400"]);
  }
});

Admission("admits checks of health from everywhere but browsers, and no other call, without the token", async () => {
  assert.is(statusFor(["secret"], "10.0.0.7", undefined, check), 200);
  const others = [`${check}?a=b`, `/${Health.typeName}/Watch`, `/${Health.typeName}/List`, `${check}/`, "/", ask];
  for (const path of others) assert.is(statusFor(["secret"], "10.0.0.7", undefined, path), 401, path);
  for (const host of foreign) {
    assert.is(await askAs(host, {}, check), 200, host);
    assert.is(await askAs(host, { origin: `http://${host}` }, check), 401, host);
  }
});

Admission("shows metrics on loopback only with a Host of loopback", async () => {
  const adminPort = await freePort();
  const admin = await serveAdmin({ host: "127.0.0.1", adminPort }, createRegistry(), log);
  const ask = async (hosts: string) =>
    (await exchangeRaw(adminPort, `GET /metrics HTTP/1.1\r\n${hosts}\r\n`))[0]?.status;
  for (const host of own) assert.is(await ask(`Host: ${host}\r\n`), 200, host);
  for (const host of foreign) assert.is(await ask(`Host: ${host}\r\n`), 403, host);
  for (const host of unreadable) assert.is(await ask(`Host: ${host}\r\n`), 400, host);
  assert.is(await ask("Host: localhost\r\nHost: localhost\r\n"), 400);
  await admin.close();
});

Admission.run();
