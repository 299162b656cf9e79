import { suite } from "uvu";
import * as assert from "uvu/assert";
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

const exposed = "ETag, Retry-After, X-AutoBatch-Completed";

for (const path of [
  "/social/a",
  "/nope",
  "/social/%",
  "/api/Nope",
  "/social/a?callback=f",
  "/json/oneway/SocialUsers",
]) {
  Headers(`allows every origin to read ${path}, with credentials`, async () => {
    const { headers } = await gateway.send({ path, headers: { origin: "https://a.example" } });
    assert.is(headers["access-control-allow-origin"], "https://a.example");
    assert.is(headers["access-control-allow-credentials"], "true");
    assert.is(headers["access-control-expose-headers"], exposed);
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.is(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
    assert.equal([headers["x-frame-options"], headers["referrer-policy"]], ["DENY", "no-referrer"]);
    assert.is(headers.vary, "Accept-Encoding, Authorization, Cookie");
  });

  Headers(`allows a caller that names no origin to read ${path}, without credentials`, async () => {
    const { headers } = await gateway.send({ path });
    assert.is(headers["access-control-allow-origin"], "*");
    assert.is(headers["access-control-allow-credentials"], undefined);
  });
}

Headers("answers preflights itself, echoing what they ask for", async () => {
  const asked = { "access-control-request-method": "PROPFIND", "access-control-request-headers": "x-a, authorization" };
  for (const path of ["/register", "/nope"]) {
    const reply = await gateway.send({ method: "OPTIONS", path, headers: { origin: "null", ...asked } });
    assert.equal([reply.status, reply.text], [204, ""]);
    assert.is(reply.headers["access-control-allow-origin"], "null");
    assert.is(reply.headers["access-control-allow-methods"], "PROPFIND");
    assert.is(reply.headers["access-control-allow-headers"], "x-a, authorization");
    assert.is(reply.headers["access-control-max-age"], "600");
  }
  assert.equal(gateway.calls, []);
});

Headers("runs the operation on what is no preflight", async () => {
  await gateway.send({ method: "OPTIONS", path: "/social/a", headers: { origin: "https://a.example" } });
  await gateway.send({ path: "/social/a", headers: { "access-control-request-method": "GET" } });
  assert.is(gateway.calls.length, 2);
});

Headers("turns a session into a cookie, Secure when the trusted proxy says https", async () => {
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

Headers("believes no proxy that it was not told to trust", async () => {
  const direct = await startFakeGateway();
  direct.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "a; max-age=1");
    return {};
  };
  const reply = await direct.send({ method: "POST", path: "/register", headers: { "x-forwarded-proto": "https" } });
  await direct.stop();
  assert.equal(reply.headers["set-cookie"], ["ss-id=a; Max-Age=1; Path=/; HttpOnly; SameSite=Lax"]);
});

Headers("takes a session header that could smuggle attributes for a defect", async () => {
  gateway.answers.registration = (_request, { responseHeader }) => {
    responseHeader.set("roost-session", "a; domain=evil.example; max-age=1");
    return {};
  };
  const reply = await gateway.send({ method: "POST", path: "/register" });
  assert.is(reply.status, 500);
  assert.is(reply.headers["set-cookie"], undefined);
  assert.not.match(JSON.stringify(gateway.logged), "evil.example");
});

Headers.run();
