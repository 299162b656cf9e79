import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { maxBatchItemsAtOnce, maxBytesOfBatches } from "../../gateway/http/limits/limits.ts";
import { eventually } from "../support/eventually.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";
import { startFakeGateway, useFakeGateway } from "./fake-gateway.ts";

const Batches = suite("gateway batches and oneway calls");
const gateway = useFakeGateway(Batches);

Batches.before.each(() => {
  gateway.answers.registration = ({ userName }) => ({ userId: 1n, sessionId: "s", userName });
});

const post = (path: string, items: unknown) => gateway.send({ method: "POST", path, body: JSON.stringify(items) });

Batches("runs the items one after the other, in their order", async () => {
  let running = 0;
  gateway.answers.registration = async ({ userName }) => {
    assert.is(++running, 1);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return { userName };
  };
  const names = ["a", "b", "c", "d", "e"];
  await post(
    "/api/Registration[]",
    names.map((userName) => ({ userName })),
  );
  assert.equal(gateway.asked("userName"), names);
});

Batches("applies the query to every item", async () => {
  await post("/api/SocialTimelines[]?take=3", [{ screenName: "a" }, { screenName: "b", take: 9 }]);
  assert.equal(gateway.asked("take"), [3n, 3n]);
});

Batches("wraps a short and a long reply into a function whose name has other letters than ASCII", async () => {
  for (const count of [1, 100]) {
    gateway.answers.socialTimelines = () => ({ results: [{ text: "x".repeat(70 * count) }], version: "s1.0" });
    for (const name of ["été", "alertĨ1ĩįį"]) {
      const path = `/api/SocialTimelines[]?callback=${encodeURIComponent(name)}`;
      const reply = await post(path, Array(count).fill({ screenName: "a" }));
      assert.ok(reply.text.startsWith(`${name}([{"results":[`), reply.text.slice(0, 50));
      assert.ok(reply.text.endsWith("}])"), reply.text.slice(-50));
      assert.is(reply.headers["content-length"], `${Buffer.byteLength(reply.text)}`);
    }
  }
});

Batches("runs nothing when an item cannot be read", async () => {
  const reply = await post("/api/Registration[]", [{ userName: "a" }, { autoLogin: "maybe" }]);
  assert.is(reply.status, 400);
  assert.match(reply.text, '"fieldName":"autoLogin"');
  assert.equal(gateway.calls, []);
});

/** The lengths of ten texts that take more than half of what all batches may hold. */
const largeTexts = Array.from({ length: 10 }, (_, index) => Math.ceil(maxBytesOfBatches / 16) + index);

Batches("count a reply that is not read yet, also where an older batch needs its room", async () => {
  const asked: string[] = [];
  const { work, end } = openWork(asked);
  gateway.answers.socialTimelines = async ({ screenName, take = 0n }) => {
    if (screenName === "older") await work();
    return { results: [{ text: "x".repeat(Number(take)) }], version: "s1.0" };
  };
  const bodyFor = (screenName: string) => JSON.stringify(largeTexts.map((take) => ({ screenName, take })));
  const path = "/json/reply/SocialTimelines[]";
  const older = gateway.send({ method: "POST", path, body: bodyFor("older") });
  await eventually("the older batch", async () => asked.length > 0);
  const younger = request(`${gateway.url}${path}`, { method: "POST" });
  younger.end(bodyFor("younger"));
  const [reply] = (await once(younger, "response")) as [IncomingMessage];
  end();
  assert.is((await older).status, 503);
  let length = 0;
  for await (const bytes of reply) length += (bytes as Buffer).length;
  assert.ok(length > maxBytesOfBatches / 2, `${length} bytes`);
  const later = { method: "POST", path, body: bodyFor("later") };
  await eventually("the room", async () => (await gateway.send(later)).status === 200);
});

Batches("end at their own deadline while other batches, which end later, have all turns", async () => {
  const own = await startFakeGateway({ serviceTimeoutMs: 2_000 });
  const { work, end } = openWork();
  own.answers.registration = ({ userName }) => (userName === "first" ? work().then(() => ({})) : new Promise(() => {}));
  const ended: string[] = [];
  const send = async (which: string, userNames: string[]) => {
    // Valid ones: an item that breaks a rule is answered with 400 where its service gives no answer in time.
    const body = JSON.stringify(userNames.map((userName) => ({ userName, password: "correct horse" })));
    const { status } = await own.send({ method: "POST", path: "/api/Registration[]", body });
    ended.push(`${which} ${status}`);
  };
  const older = send("older", ["first", "second"]);
  await eventually("its first item", async () => own.calls.length === 1);
  // So that their deadlines are apart also where the event loop stalls.
  await sleep(700);
  const younger = Array.from({ length: maxBatchItemsAtOnce }, () => send("younger", ["other"]));
  await eventually("one that waits", async () => own.calls.length === maxBatchItemsAtOnce);
  end();
  await older;
  assert.equal(ended, ["older 504"]);
  await Promise.all(younger);
  await own.stop();
});

for (const path of ["/json/oneway/Registration", "/json/asynconeway/registration"]) {
  Batches(`are run on ${path} as single requests are, and answered without a body`, async () => {
    const [one, other] = [{ userName: "a" }, { userName: "b" }];
    const bodies = { [path]: one, [`${path}?callback=x`]: one, [`${path}[]`]: [one, other] };
    for (const [to, body] of Object.entries(bodies)) {
      const { status, text, headers } = await post(to, body);
      assert.equal([status, text, headers["content-type"], headers["cache-control"]], [204, "", undefined, "no-store"]);
    }
    assert.equal(gateway.asked("userName"), ["a", "a", "a", "b"]);
  });
}

Batches.run();
