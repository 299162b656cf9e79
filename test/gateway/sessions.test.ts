import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Asked, type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Sessions = suite("sessions");
let gateway: FakeGateway;

Sessions.before(async () => {
  gateway = await startFakeGateway({ corsOrigins: ["https://app.example"] });
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "good" ? { userId: 77n } : {});
});
Sessions.after(() => gateway.stop());

/** For whom the service was asked, and whether the reply is for the caller alone. */
async function viewer(headers: Asked["headers"], path = "/social/ann") {
  const reply = await gateway.send({ path, headers });
  assert.is(reply.status, 200);
  return [gateway.calls.pop()?.header.get("roost-viewer") ?? null, reply.headers["cache-control"]];
}

const anonymous = [null, "no-cache"];
const user77 = ["77", "private, no-cache"];

Sessions("know a caller by a bearer token or by the cookie", async () => {
  assert.equal(await viewer({ authorization: "Bearer good" }), user77);
  assert.equal(await viewer({ authorization: "bearer good" }), user77);
  assert.equal(await viewer({ cookie: "ss-id=good" }), user77);
  assert.equal(await viewer({ cookie: "a=b; ss-id=good; c=d" }), user77);
});

Sessions("take the caller for anonymous with an unknown session, and with what is none", async () => {
  for (const authorization of ["Bearer bad", "Bearer", "Basic good", "good", `Bearer ${"x".repeat(600)}`]) {
    assert.equal(await viewer({ authorization }), anonymous, authorization);
  }
  for (const cookie of ["ss-id=bad", "ss-id=", "xss-id=good", "a=ss-id=good"]) {
    assert.equal(await viewer({ cookie }), anonymous, cookie);
  }
  assert.equal(await viewer({}), anonymous);
});

Sessions("let a bad token win over a good cookie: the caller chose it", async () => {
  assert.equal(await viewer({ authorization: "Bearer bad", cookie: "ss-id=good" }), anonymous);
});

Sessions("count the cookie from the same origin and listed ones, and a token from everywhere", async () => {
  const cookie = "ss-id=good";
  assert.equal(await viewer({ cookie, origin: gateway.url }), user77);
  assert.equal(await viewer({ cookie, origin: "https://app.example" }), user77);
  assert.equal(await viewer({ cookie, origin: "https://evil.example" }), anonymous);
  assert.equal(await viewer({ cookie, origin: "null" }), anonymous);
  assert.equal(await viewer({ authorization: "Bearer good", origin: "https://evil.example" }), user77);
});

Sessions("never count under JSONP", async () => {
  const headers = { authorization: "Bearer good", cookie: "ss-id=good" };
  assert.equal(await viewer(headers, "/social/ann?callback=cb"), [null, "no-store"]);
});

Sessions("never pass a viewer on that the client itself named", async () => {
  assert.equal(await viewer({ "roost-viewer": "77" }), anonymous);
});

Sessions("are asked for once in a batch", async () => {
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

Sessions("make the reply a 5xx when the account service cannot say whose they are", async () => {
  gateway.answers.getSession = () => {
    throw new Error("away");
  };
  const reply = await gateway.send({ path: "/social/ann", headers: { cookie: "ss-id=good" } });
  assert.ok(reply.status >= 500);
});

Sessions.run();
