import net from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Log = suite("gateway log");

let gateway: FakeGateway;
Log.before.each(async () => {
  gateway = await startFakeGateway();
});
Log.after.each(() => gateway.stop());

const requests = () => gateway.logged.filter((line) => line.msg === "request");

Log("has one line for each request, whatever its outcome", async () => {
  gateway.answers.socialTimelines = () => {
    throw new ConnectError("gone", Code.Unavailable);
  };
  for (const path of [
    "/social/a",
    "/nope",
    "/social/%",
    "/social/ids/x?callback=f",
    "/social/a/timelines",
    "/social/a?callback=()",
  ]) {
    await gateway.send({ path });
  }
  assert.equal(
    requests().map(({ operation, method, status, errorCode, jsonp }) => [operation, method, status, errorCode, jsonp]),
    [
      ["SocialUsers", "GET", 200, undefined, undefined],
      [undefined, "GET", 404, "NotFound", undefined],
      [undefined, "GET", 400, "SerializationException", undefined],
      ["SocialUsers", "GET", 200, "SerializationException", true],
      ["SocialTimelines", "GET", 503, "ServiceUnavailable", undefined],
      [undefined, "GET", 400, "InvalidCallback", undefined],
    ],
  );
  assert.ok(requests().every(({ ms, reference }) => typeof ms === "number" && typeof reference === "string"));
});

Log(
  "has a line for the request that was served when its connection ended, and none for one that waited behind it",
  async () => {
    gateway.answers.socialUsers = () => new Promise(() => {});
    gateway.logged.length = 0;
    const socket = net.connect(gateway.port, "127.0.0.1", () => {
      for (const path of ["/social/b", "/social/a/timelines"]) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    });
    await eventually("the first call", async () => gateway.calls.some(({ operation }) => operation === "SocialUsers"));
    socket.destroy();
    await eventually("its line", async () => requests().length > 0);
    await gateway.send({ path: "/social/c/timelines" });
    assert.equal(
      requests().map(({ operation, aborted }) => [operation, aborted]),
      [
        ["SocialUsers", true],
        ["SocialTimelines", undefined],
      ],
    );
  },
);

Log("has the cause of a defect with the reference that the client got", async () => {
  gateway.answers.socialUsers = () => {
    throw new ConnectError("relation secret_table does not exist", Code.Internal);
  };
  const reply = await gateway.send({ path: "/social/a" });
  const reference = /Reference: ([0-9a-f]+)/.exec(reply.text)?.[1];
  assert.is(reply.status, 500);
  assert.not.match(reply.text, "secret_table");
  const causes = gateway.logged.filter((line) => line.level === 50);
  assert.equal(
    causes.map((line) => line.reference),
    [reference],
  );
  assert.match(JSON.stringify(causes), "secret_table");
});

Log("answers 500 when a service's reply cannot be written as JSON", async () => {
  gateway.answers.socialTimelines = () => ({ results: [{ geo: { coordinates: [Number.NaN] } }] });
  assert.is((await gateway.send({ path: "/social/a/timelines" })).status, 500);
});

Log("has a different reference for every request", async () => {
  await Promise.all(Array.from({ length: 20 }, () => gateway.send({ path: "/nope", headers: { "request-id": "1" } })));
  assert.is(new Set(requests().map((line) => line.reference)).size, 20);
});

Log.run();
