import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Headers = suite("gateway headers");

let gateway: FakeGateway;
Headers.before(async () => {
  gateway = await startFakeGateway({ trustProxy: ["127.0.0.1"] });
});
Headers.before.each(() => {
  gateway.calls.length = 0;
});
Headers.after(() => gateway.stop());

Headers("have nosniff, a content security policy, DENY for frames and no-referrer on every reply", async () => {
  for (const path of [
    "/social/a",
    "/nope",
    "/social/%",
    "/api/Nope",
    "/social/a?callback=f",
    "/json/oneway/SocialUsers",
  ]) {
    const { headers } = await gateway.send({ path });
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.is(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
    assert.equal([headers["x-frame-options"], headers["referrer-policy"]], ["DENY", "no-referrer"]);
  }
});

Headers("have the session as a cookie, with Secure when the trusted proxy says https", async () => {
  gateway.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "3Zz_-9; max-age=1209600");
    return {};
  };
  const cookies = async (headers: Record<string, string>) =>
    (await gateway.send({ method: "POST", path: "/register", headers })).headers["set-cookie"];
  const plain = "ss-id=3Zz_-9; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax";
  assert.equal(await cookies({}), [plain]);
  assert.equal(await cookies({ "x-forwarded-proto": "https" }), [`${plain}; Secure`]);
  assert.equal(await cookies({ "x-forwarded-proto": "http" }), [plain]);
});

Headers("have the names that some clients look for letter by letter, on every path to a reply", async () => {
  gateway.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "a; max-age=1");
    return {};
  };
  const names = new Set<string>();
  for (const [path, headers] of [
    ["/register", {}],
    ["/register", { origin: "https://a.example" }],
    ["/json/reply/SocialUsers[]", {}],
    ["/social/ann", {}],
    ["/social/ann", {}],
    ["/social/ann?callback=show", {}],
    ["/social/ann", { "if-none-match": "*" }],
    ["/nothing/here", {}],
    ["/%zz", {}],
    ["/docs", {}],
    ["/@ann", {}],
    ["/timelines/home/live", {}],
    ["/readyz", {}],
  ] as const) {
    const method = path.includes("register") || path.includes("[]") ? "POST" : "GET";
    const request = http.request(`${gateway.url}${path}`, { method, headers });
    request.end(path.includes("[]") ? "[{}]" : "");
    const [reply] = (await once(request, "response")) as [http.IncomingMessage];
    reply.resume();
    for (const name of reply.rawHeaders.filter((_, index) => index % 2 === 0)) names.add(name);
  }
  const socket = net.connect(gateway.port, "127.0.0.1").end("no HTTP\r\n\r\n");
  const [head = ""] = (await text(socket)).split("\r\n\r\n");
  for (const [, name] of head.matchAll(/^([^:\s]+): /gm)) names.add(name as string);
  const isUsual = (name: string) => /^(?:ETag|X-AutoBatch-Completed|[A-Z][a-z]*(?:-[A-Z][a-z]*)*)$/.test(name);
  assert.equal(
    [...names].filter((name) => !isUsual(name)),
    [],
  );
  for (const name of ["Set-Cookie", "Content-Type", "ETag", "X-AutoBatch-Completed"]) assert.ok(names.has(name), name);
});

Headers("do not depend on X-Forwarded-Proto of an untrusted proxy", async () => {
  const direct = await startFakeGateway();
  direct.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "a; max-age=1");
    return {};
  };
  const reply = await direct.send({ method: "POST", path: "/register", headers: { "x-forwarded-proto": "https" } });
  await direct.stop();
  assert.equal(reply.headers["set-cookie"], ["ss-id=a; Max-Age=1; Path=/; HttpOnly; SameSite=Lax"]);
});

Headers("set no cookie from a service's session header with further attributes, which is a defect", async () => {
  gateway.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "a; domain=evil.example; max-age=1");
    return {};
  };
  const reply = await gateway.send({ method: "POST", path: "/register" });
  assert.is(reply.status, 500);
  assert.is(reply.headers["set-cookie"], undefined);
  assert.not.match(JSON.stringify(gateway.logged), "evil.example");
});

Headers("tell the service that a JSONP call is anonymous, and set no cookie for it", async () => {
  gateway.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "secret; max-age=60");
    return { sessionId: "secret" };
  };
  const jsonp = await gateway.send({ method: "POST", path: "/register?autoLogin=true&callback=f" });
  const plain = await gateway.send({ method: "POST", path: "/register?autoLogin=true" });
  assert.is(jsonp.headers["set-cookie"], undefined);
  assert.is(plain.headers["set-cookie"]?.length, 1);
  assert.equal(
    gateway.calls.map((call) => call.header.get("roost-anonymous")),
    ["jsonp", null],
  );
});

Headers("of the service cannot be set by a caller", async () => {
  await gateway.send({ path: "/register", headers: { "roost-anonymous": "jsonp", "roost-session": "x" } });
  assert.equal(
    gateway.calls.map((call) => call.header.get("roost-anonymous")),
    [null],
  );
});

Headers.run();
