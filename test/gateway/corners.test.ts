import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Corners = suite("gateway edge cases");
let gateway: FakeGateway;

Corners.before(async () => {
  gateway = await startFakeGateway();
});
Corners.after(() => gateway.stop());

const bound = () => gateway.calls.pop()?.request;

Corners("serve names whose length changes with their case", async () => {
  for (const name of ["İ", "aİb", "ẞ", "ŉ", "É"]) {
    const { status } = await gateway.send({ path: `/social/${encodeURIComponent(name)}/timelines` });
    assert.equal([status, bound()?.screenName], [200, name]);
  }
});

Corners("set no cookie when a later item of a batch fails, and one when several sign in", async () => {
  const path = "/json/reply/Registration[]";
  const batch = (...names: string[]) =>
    gateway.send({ method: "POST", path, body: JSON.stringify(names.map((userName) => ({ userName }))) });
  gateway.answers.registration = ({ userName }, { responseHeader }) => {
    if (userName === "bad") throw new Error("no");
    if (userName !== "cay") responseHeader.set("roost-session", `session-of-${userName}; max-age=60`);
    return { userName, responseStatus: {} };
  };
  const failed = await batch("ann", "bad");
  assert.equal([failed.status, failed.headers["set-cookie"]], [500, undefined]);
  const passed = await batch("ann", "bea", "cay");
  assert.equal([passed.status, passed.headers["set-cookie"]?.length], [200, 1]);
  assert.match(passed.headers["set-cookie"]?.[0] ?? "", "ss-id=session-of-bea");
});

Corners("read every header line, also after 5,000 others", async () => {
  const many = "a:\r\n".repeat(5_000);
  const body = '{"screenName":"ann"}';
  const head = `POST /json/reply/SocialTimelines HTTP/1.1\r\nHost: x\r\n${many}`;
  const [read] = await exchangeRaw(
    gateway.port,
    `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.equal([read?.status, bound()?.screenName], [200, "ann"]);
  const [refused] = await exchangeRaw(gateway.port, `${head}Content-Length: 3000000\r\n\r\n`);
  assert.is(refused?.status, 413);
});

Corners("answer 414 to a long URL that follows another request", async () => {
  const first = "GET /social/a HTTP/1.1\r\nHost: x\r\n\r\n";
  const replies = await exchangeRaw(gateway.port, `${first}GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.equal(
    replies.map(({ status }) => status),
    [200, 414],
  );
});

Corners("answer a oneway call with a callback 204 and no-store", async () => {
  const { status, headers, text } = await gateway.send({ path: "/json/oneway/SocialUsers?callback=x" });
  assert.equal([status, headers["cache-control"], text], [204, "no-store", ""]);
});

Corners.run();
