import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw, parseReplies, type RawReply, readUntilClosed } from "./raw-socket.ts";

const Hosts = suite("two Host headers at the gateway");

let gateway: FakeGateway;
Hosts.before(async () => {
  gateway = await startFakeGateway();
});
Hosts.before.each(() => {
  gateway.calls.length = 0;
});
Hosts.after(() => gateway.stop());

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, headers: string, body = "") => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;

for (const [why, bytes] of [
  ["on a path of an operation", get("/social/a", "Host: x\r\n")],
  ["at a path that cannot be decoded", get("/social/%ff", "HOST: y\r\n")],
  ["in HTTP/1.0", get("/livez", "hOST: y\r\n").replace("/1.1", "/1.0")],
  ["with others between them", get("/", `${"A: b\r\n".repeat(50)}host:\r\n`)],
] as const) {
  Hosts(`are refused in the error shape ${why}`, async () => {
    const [reply] = (await exchangeRaw(gateway.port, bytes)) as [RawReply];
    assert.is(reply.status, 400);
    assert.match(reply.body, /^\{"responseStatus":\{"errorCode":"BadRequest","message":"[^"]+"\}\}$/);
    assert.equal([reply.headers["cache-control"], reply.headers.connection], ["no-store", "close"]);
    assert.equal(gateway.calls, []);
  });
}

Hosts("are refused on every route, also after other requests and on the fast path", async () => {
  const twice = "Host: y\r\n";
  const asked = [
    get("/social/a", twice),
    get("/social/a?callback=f", twice),
    get("/json/reply/SocialUsers?screenNames=a", twice),
    post("/register", `${twice}Content-Length: 2\r\n`, "{}"),
    post("/json/reply/SocialUsers[]", `${twice}Content-Length: 2\r\n`, "[]"),
    post("/register", `${twice}Expect: 100-continue\r\nContent-Length: 2\r\n`, "{}"),
    get("/readyz", twice),
    get("/", twice),
    get("/openapi.json", twice),
  ];
  for (const one of asked) {
    // The two requests before it are equal, so that the second one is answered by the fast path.
    const text = await readUntilClosed(gateway.port, get("/social/a") + get("/social/a") + one);
    const replies = parseReplies(text).filter(({ status }) => status !== 100);
    const isJsonp = one.includes("callback");
    assert.equal(
      replies.map(({ status }) => status),
      [200, 200, isJsonp ? 200 : 400],
      one,
    );
    assert.match(replies[2]?.body ?? "", /^(f\()?\{"responseStatus":\{"errorCode":"BadRequest"/);
    assert.is(gateway.calls.filter(({ operation }) => operation === "Registration").length, 0);
  }
});

Hosts.run();
