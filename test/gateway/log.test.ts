import net from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useNewFakeGateways } from "./fake-gateway.ts";

const Log = suite("gateway log");
const gateway = useNewFakeGateways(Log);

const requests = () => gateway.logged.filter((line) => line.msg === "request");

Log("has one line for each request, whatever its outcome", async () => {
  gateway.answers.socialTimelines = () => {
    throw new ConnectError("gone", Code.Unavailable);
  };
  const references = new Set<unknown>();
  for (const [path, ...expected] of [
    ["/social/a", "SocialUsers", 200, undefined, undefined],
    ["/nope", undefined, 404, "NotFound", undefined],
    ["/social/%", undefined, 400, "SerializationException", undefined],
    ["/social/ids/x?callback=f", "SocialUsers", 200, "SerializationException", true],
    ["/social/a/timelines", "SocialTimelines", 503, "ServiceUnavailable", undefined],
    ["/social/a?callback=()", undefined, 400, "InvalidCallback", undefined],
  ] as const) {
    gateway.logged.length = 0;
    await gateway.send({ path, headers: { "request-id": "1" } });
    await eventually("its line", async () => requests().length > 0);
    const [line, ...others] = requests();
    assert.equal([line?.operation, line?.status, line?.errorCode, line?.jsonp], expected);
    assert.equal([line?.method, typeof line?.ms, typeof line?.reference, others], ["GET", "number", "string", []]);
    references.add(line?.reference);
  }
  assert.is(references.size, 6, "each has a reference of its own");
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
  assert.equal(valuesOf(causes, "reference"), [reference]);
  assert.match(JSON.stringify(causes), "secret_table");
});

Log("answers 500 when a service's reply cannot be written as JSON", async () => {
  gateway.answers.socialTimelines = () => ({ results: [{ geo: { coordinates: [Number.NaN] } }] });
  assert.is((await gateway.send({ path: "/social/a/timelines" })).status, 500);
});

Log.run();
