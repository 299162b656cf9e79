import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Asked, type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const JsonpReplies = suite("gateway JSONP replies");

let gateway: FakeGateway;
JsonpReplies.before(async () => {
  gateway = await startFakeGateway();
});
JsonpReplies.before.each(() => {
  gateway.calls.length = 0;
});
JsonpReplies.after(() => gateway.stop());

JsonpReplies("wraps exactly, as a script that no cache may store", async () => {
  for (const method of ["GET", "POST", "OPTIONS"]) {
    const reply = await gateway.send({ method, path: "/social/a?format=json&callback=a.b%5B0%5D&CALLBACK=" });
    assert.is(reply.status, 200);
    assert.is(reply.text, 'a.b[0]({"results":[]})');
    assert.is(reply.headers["content-type"], "text/javascript; charset=utf-8");
    assert.is(reply.headers["cache-control"], "no-store");
    assert.is(reply.headers["content-length"], `${Buffer.byteLength(reply.text)}`);
  }
});

JsonpReplies("counts names in bytes of UTF-8", async () => {
  const reply = await gateway.send({ path: "/social/a?callback=%C3%A9t%C3%A9" });
  assert.is(reply.text, 'été({"results":[]})');
});

JsonpReplies("takes an empty callback for none, and the same name twice for one", async () => {
  assert.is((await gateway.send({ path: "/social/a?callback=" })).text, '{"results":[]}');
  assert.is((await gateway.send({ path: "/social/a?callback=f&Callback=f" })).text, 'f({"results":[]})');
  assert.is((await gateway.send({ path: "/social/a?CALLBACK=f" })).text, 'f({"results":[]})');
});

JsonpReplies("reads the callback from the query only", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const reply = await gateway.send({ method: "POST", path: "/social/a", body: "callback=f", headers });
  assert.is(reply.text, '{"results":[]}');
});

const errors: [why: string, asked: Asked, errorCode: string][] = [
  ["an unknown path", { path: "/nope?callback=f" }, "NotFound"],
  ["an unknown operation", { path: "/api/Nope?callback=f" }, "NotImplementedException"],
  ["a bad field", { path: "/social/ids/x?callback=f" }, "SerializationException"],
  ["a bad path", { path: "/social/%?callback=f" }, "SerializationException"],
  ["another parameter that is broken", { path: "/social/a?x=%&callback=f" }, "SerializationException"],
  [
    "a body that is too large",
    { path: "/social/a?callback=f", method: "POST", body: "x".repeat(1_048_577) },
    "RequestTooLarge",
  ],
  ["an expectation that is not met", { path: "/social/a?callback=f", headers: { expect: "more" } }, "BadRequest"],
];
for (const [why, asked, errorCode] of errors) {
  JsonpReplies(`wraps the error of ${why}, with status 200`, async () => {
    const reply = await gateway.send(asked);
    assert.is(reply.status, 200);
    assert.is(reply.headers["content-type"], "text/javascript; charset=utf-8");
    assert.ok(reply.text.startsWith(`f({"responseStatus":{"errorCode":"${errorCode}"`), reply.text);
    assert.ok(reply.text.endsWith("}})"));
  });
}

for (const callback of ["alert(1)", "a b", "", "x".repeat(129), "%zz", "%ff", "if", "a'"].filter(Boolean)) {
  JsonpReplies(`refuses the callback ${callback.slice(0, 20)} as plain JSON`, async () => {
    for (const path of ["/social/a", "/nope", "/social/%"]) {
      const reply = await gateway.send({
        path: `${path}?callback=${callback.includes("%") ? callback : encodeURIComponent(callback)}`,
      });
      assert.is(reply.status, 400);
      assert.is(reply.headers["content-type"], "application/json");
      assert.match(reply.text, /^\{"responseStatus":\{"errorCode":"InvalidCallback","message":"[^"]*"\}\}$/);
    }
    assert.equal(gateway.calls, []);
  });
}

JsonpReplies("refuses two callbacks of different names", async () => {
  const reply = await gateway.send({ path: "/social/a?callback=f&callback=g" });
  assert.match(reply.text, /^\{"responseStatus":\{"errorCode":"InvalidCallback"/);
});

JsonpReplies("sends no body to HEAD", async () => {
  for (const path of ["/social/a?callback=f", "/nope?callback=f"]) {
    const reply = await gateway.send({ method: "HEAD", path });
    assert.equal([reply.status, reply.text], [200, ""]);
    assert.is(reply.headers["content-type"], "text/javascript; charset=utf-8");
  }
});

JsonpReplies("calls anonymously: it says so to the service, and sets no cookie", async () => {
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

JsonpReplies("does not take the caller's word for who is anonymous", async () => {
  await gateway.send({ path: "/register", headers: { "roost-anonymous": "jsonp", "roost-session": "x" } });
  assert.equal(
    gateway.calls.map((call) => call.header.get("roost-anonymous")),
    [null],
  );
});

JsonpReplies.run();
