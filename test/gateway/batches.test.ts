import { Code, ConnectError } from "@connectrpc/connect";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { invalid } from "../../services/platform/errors.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Batches = suite("gateway batches and oneway calls");

let gateway: FakeGateway;
Batches.before(async () => {
  gateway = await startFakeGateway();
});
Batches.before.each(() => {
  gateway.calls.length = 0;
  gateway.answers.registration = ({ userName }) => ({ userId: 1n, sessionId: "s", userName });
});
Batches.after(() => gateway.stop());

const register = (path: string, items: unknown) => gateway.send({ method: "POST", path, body: JSON.stringify(items) });

Batches("runs the items one after the other, in their order", async () => {
  let running = 0;
  gateway.answers.registration = async ({ userName }) => {
    assert.is(++running, 1);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return { userName };
  };
  await register(
    "/api/Registration[]",
    Array.from({ length: 5 }, (_, index) => ({ userName: `${index}` })),
  );
  assert.equal(
    gateway.calls.map((call) => call.request.userName),
    ["0", "1", "2", "3", "4"],
  );
});

Batches("applies the query to every item, and wraps the reply for JSONP", async () => {
  const reply = await register("/api/SocialTimelines[]?take=3&callback=f", [
    { screenName: "a" },
    { screenName: "b", take: 9 },
  ]);
  assert.equal(
    gateway.calls.map((call) => call.request.take),
    [3n, 3n],
  );
  assert.is(reply.text, 'f([{"results":[]},{"results":[]}])');
});

Batches("fails with the error of the first item that fails, and runs no later ones", async () => {
  gateway.answers.registration = ({ userName }) => {
    if (userName === "b") throw invalid("userName", "AlreadyExists", "UserName already exists");
    return {};
  };
  const reply = await register("/api/Registration[]", [{ userName: "a" }, { userName: "b" }, { userName: "c" }]);
  assert.is(reply.status, 400);
  assert.match(reply.text, /^\{"responseStatus":\{"errorCode":"AlreadyExists"/);
  assert.is(reply.headers["x-autobatch-completed"], "1");
  assert.equal(
    gateway.calls.map((call) => call.request.userName),
    ["a", "b"],
  );
});

Batches("runs nothing when an item cannot be read", async () => {
  const reply = await register("/api/Registration[]", [{ userName: "a" }, { autoLogin: "maybe" }]);
  assert.is(reply.status, 400);
  assert.match(reply.text, '"fieldName":"autoLogin"');
  assert.equal(gateway.calls, []);
});

for (const path of ["/json/oneway/Registration", "/json/asynconeway/registration"]) {
  Batches(`runs the operation on ${path} and answers without a body`, async () => {
    const reply = await register(path, { userName: "a" });
    assert.equal([reply.status, reply.text, reply.headers["content-type"]], [204, "", undefined]);
    assert.is(reply.headers["cache-control"], "no-store");
    assert.equal(
      gateway.calls.map((call) => call.request.userName),
      ["a"],
    );
    assert.is((await register(`${path}[]`, [{}, {}])).status, 204);
    assert.is(gateway.calls.length, 3);
  });
}

Batches("answers a failed oneway call with its error", async () => {
  gateway.answers.registration = () => {
    throw new ConnectError("gone", Code.Unavailable);
  };
  const reply = await register("/json/oneway/Registration", { userName: "ann", password: "correct horse" });
  assert.is(reply.status, 503);
  assert.is(reply.headers["retry-after"], "1");
});

Batches.run();
