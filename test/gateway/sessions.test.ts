import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type Asked, type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Sessions = suite("sessions");
let gateway: FakeGateway;

Sessions.before(async () => {
  gateway = await startFakeGateway({ corsOrigins: ["https://app.example"] });
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
});
Sessions.after(() => gateway.stop());

/** The viewer of the request to the service, and the reply's Cache-Control. */
async function viewer(headers: Asked["headers"], path = "/social/ann") {
  const reply = await gateway.send({ path, headers });
  assert.is(reply.status, 200);
  return [gateway.calls.pop()?.header.get("roost-viewer") ?? null, reply.headers["cache-control"]];
}

const anonymous = [null, "no-cache"];
const user77 = ["77", "private, no-cache"];

Sessions("are presented by a bearer token or by the cookie", async () => {
  assert.equal(await viewer({ authorization: "Bearer good" }), user77);
  assert.equal(await viewer({ authorization: "bearer good" }), user77);
  assert.equal(await viewer({ cookie: "ss-id=good" }), user77);
  assert.equal(await viewer({ cookie: "a=b; ss-id=good; c=d" }), user77);
  // As Java writes a cookie that has a Max-Age.
  assert.equal(await viewer({ cookie: '$Version="1"; ss-id="good";$Path="/"' }), user77);
  assert.equal(await viewer({ cookie: 'ss-id="good"; ss-id=good' }), user77);
});

Sessions("leave the caller anonymous when they are unknown or malformed", async () => {
  for (const authorization of ["Bearer bad", "Bearer", "Basic good", "good", `Bearer ${"x".repeat(600)}`]) {
    assert.equal(await viewer({ authorization }), anonymous, authorization);
  }
  for (const cookie of [
    "ss-id=bad",
    "ss-id=",
    'ss-id="good',
    'ss-id=good"',
    'ss-id=""',
    'ss-id="good"; ss-id="bad"',
    "xss-id=good",
    "a=ss-id=good",
  ]) {
    assert.equal(await viewer({ cookie }), anonymous, cookie);
  }
  assert.equal(await viewer({}), anonymous);
});

Sessions("leave the caller anonymous with an unknown bearer token and a good cookie", async () => {
  assert.equal(await viewer({ authorization: "Bearer bad", cookie: "ss-id=good" }), anonymous);
});

Sessions("count by cookie from the same and listed origins, and by bearer token from every origin", async () => {
  const cookie = "ss-id=good";
  assert.equal(await viewer({ cookie, origin: gateway.url }), user77);
  assert.equal(await viewer({ cookie, origin: "https://app.example" }), user77);
  assert.equal(await viewer({ cookie, origin: "https://evil.example" }), anonymous);
  assert.equal(await viewer({ cookie, origin: "null" }), anonymous);
  assert.equal(await viewer({ authorization: "Bearer good", origin: "https://evil.example" }), user77);
});

Sessions("never count with JSONP", async () => {
  const headers = { authorization: "Bearer good", cookie: "ss-id=good" };
  assert.equal(await viewer(headers, "/social/ann?callback=cb"), [null, "no-store"]);
});

Sessions("are the only source of the viewer: a client's roost-viewer header is ignored", async () => {
  assert.equal(await viewer({ "roost-viewer": "77" }), anonymous);
});

Sessions("are looked up once for a batch", async () => {
  let asked = 0;
  gateway.answers.getSession = () => {
    asked++;
    return { userId: 77n };
  };
  const body = JSON.stringify([{ screenNames: ["a"] }, { screenNames: ["b"] }]);
  await gateway.send({
    method: "POST",
    path: "/json/reply/SocialUsers[]",
    headers: { authorization: "Bearer x" },
    body,
  });
  assert.is(asked, 1);
});

Sessions("make the reply a 5xx when the account service fails to look them up", async () => {
  gateway.answers.getSession = () => {
    throw new Error("away");
  };
  const reply = await gateway.send({ path: "/social/ann", headers: { cookie: "ss-id=good" } });
  assert.ok(reply.status >= 500);
});

Sessions.run();
