import net from "node:net";
import * as assert from "uvu/assert";
import { maxHeaderBytes, maxHeaderLines } from "../../gateway/http/limits/limits.ts";
import { openWork } from "../support/open-work.ts";
import { suite } from "../support/suite.ts";
import { useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw, parseReplies, type RawReply, readUntilClosed, statusesOf } from "./raw-socket.ts";

const Sockets = suite("gateway sockets");
const gateway = useFakeGateway(Sockets, { requestTimeoutMs: 1_000 });

Sockets.before.each(() => {
  gateway.answers.socialUsers = () => ({ results: [] });
});

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, headers: string, body = "") => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;

const chunked = post("/register", "Transfer-Encoding: chunked\r\n");
type Row = [why: string, bytes: string | string[], status: number, errorCode: string];
const refusals: Row[] = [
  ["bytes in a path that are not ASCII", get("/social/\xff"), 400, "BadRequest"],
  ["an invalid later chunk", [chunked, "1\r\n{\r\n", "zz\r\n"], 400, "BadRequest"],
  ["a URL that is far too long", get(`/social/${"a".repeat(maxHeaderBytes)}?callback=f`), 414, "RequestTooLarge"],
  ["too many headers", get("/social/a?callback=f", "X: y\r\n".repeat(maxHeaderBytes / 2)), 431, "RequestTooLarge"],
  ["more headers than Node keeps", get("/social/a", "X:\r\n".repeat(maxHeaderLines + 1)), 431, "RequestTooLarge"],
  ["headers that do not end", "GET /social/a HTTP/1.1\r\nHost: x\r\n", 408, "Timeout"],
  ["a body that does not end", post("/register", "Content-Length: 9\r\n", "{"), 408, "Timeout"],
  ["two Hosts on a path of an operation", get("/social/a", "Host: x\r\n"), 400, "BadRequest"],
  ["two Hosts at a path that cannot be decoded", get("/social/%ff", "HOST: y\r\n"), 400, "BadRequest"],
  ["two Hosts in HTTP/1.0", get("/livez", "hOST: y\r\n").replace("/1.1", "/1.0"), 400, "BadRequest"],
  ["two Hosts with others between them", get("/", `${"A: b\r\n".repeat(50)}host:\r\n`), 400, "BadRequest"],
];
for (const [why, bytes, status, errorCode] of refusals) {
  Sockets(`answers ${why} in the error shape and closes the connection`, async () => {
    const [reply] = (await exchangeRaw(gateway.port, bytes)) as [RawReply];
    assert.is(reply.status, status);
    assert.match(reply.body, new RegExp(`^\\{"responseStatus":\\{"errorCode":"${errorCode}","message":"[^"]+"\\}\\}$`));
    assert.is(reply.headers["content-type"], "application/json");
    assert.is(reply.headers["cache-control"], "no-store");
    assert.is(reply.headers["x-content-type-options"], "nosniff");
    assert.is(reply.headers["access-control-allow-origin"], "*");
    assert.is(reply.headers.connection, "close");
    assert.equal(gateway.calls, []);
  });
}

Sockets("refuses two Hosts on every route, also after other requests and on the fast path", async () => {
  const twice = "Host: y\r\n";
  const body = `${twice}Content-Length: 2\r\n`;
  const paths = ["/social/a", "/social/a?callback=f", "/json/reply/SocialUsers", "/readyz", "/", "/openapi.json"];
  for (const one of [
    ...paths.map((path) => get(path, twice)),
    post("/register", body, "{}"),
    post("/json/reply/SocialUsers[]", body, "[]"),
    post("/register", `Expect: 100-continue\r\n${body}`, "{}"),
  ]) {
    // The two requests before it are equal, so that the second one is answered by the fast path.
    const text = await readUntilClosed(gateway.port, get("/social/a") + get("/social/a") + one);
    const replies = parseReplies(text).filter(({ status }) => status !== 100);
    const isJsonp = one.includes("callback");
    assert.equal(statusesOf(replies), [200, 200, isJsonp ? 200 : 400], one);
    assert.match(replies[2]?.body ?? "", /^(f\()?\{"responseStatus":\{"errorCode":"BadRequest"/);
    assert.is(gateway.calls.filter(({ operation }) => operation === "Registration").length, 0);
  }
});

Sockets("wraps errors of bodies for JSONP, since the request's headers were parsed", async () => {
  const bodies = [
    ["Transfer-Encoding: chunked\r\n", "zz\r\n", "BadRequest"],
    ["Content-Length: 9\r\n", "{", "Timeout"],
  ] as const;
  for (const [headers, body, errorCode] of bodies) {
    const [reply] = (await exchangeRaw(gateway.port, post("/register?callback=f", headers, body))) as [RawReply];
    assert.is(reply.status, 200);
    assert.match(reply.body, new RegExp(`^f\\(\\{"responseStatus":\\{"errorCode":"${errorCode}"`));
  }
});

const large = "x".repeat(262_144);
const tooLarge = post("/register", "Content-Length: 1048577\r\n");
const closed: [what: string, pieces: string | string[], status: number][] = [
  ["malformed bytes", "a\r\n\r\nb\r\n\r\n", 400],
  ["malformed bytes while more of them come", ["garbage\r\n\r\n", ...Array(5).fill("more garbage\r\n")], 400],
  ["a body that is too large", post("/register", "Content-Length: 2000000\r\n", "x".repeat(2_000_000)), 413],
  ["a body that is too large while it comes", [tooLarge, large, large, large, large, "x"], 413],
  ["chunks that are too large together", chunked + `fffff\r\n${"x".repeat(0xfffff)}\r\n`.repeat(3), 413],
  ["a request whose rest is malformed", post("/nope", "Transfer-Encoding: chunked\r\n", "zz\r\n"), 404],
];
for (const [what, pieces, status] of closed) {
  Sockets(`answers ${what} once and closes without a reset`, async () => {
    assert.equal(statusesOf(parseReplies(await readUntilClosed(gateway.port, pieces))), [status]);
  });
}

Sockets("closes without a reset while an unread body arrives, though the client asked to close", async () => {
  for (const [path, status] of [
    ["/nope", 404],
    ["/json/reply/Nothing", 405],
    ["/social/a?callback=()", 400],
  ] as const) {
    const pieces = [post(path, "Connection: close\r\nContent-Length: 1048576\r\n"), large, large, large, large];
    const [reply] = parseReplies(await readUntilClosed(gateway.port, pieces));
    assert.equal([reply?.status, reply?.headers.connection], [status, "close"], path);
  }
});

Sockets("closes the connection of a refused client that never stops sending", async () => {
  const socket = net.connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {}).resume();
  const sending = setInterval(() => socket.write("garbage\r\n\r\n"), 20);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(sending);
});

Sockets("sends no body to HEAD, also when it closes the connection", async () => {
  const head = `HEAD /register HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n${"x".repeat(1_048_577)}`;
  const received = await readUntilClosed(gateway.port, head);
  assert.match(received, /^HTTP\/1\.1 413 [\s\S]*\r\nContent-Length: \d+\r\n[\s\S]*\r\n\r\n$/);
});

Sockets("keeps the connection open after errors that leave it intact", async () => {
  const bytes =
    get("/nope") +
    post("/nope", "Content-Length: 4\r\n", "GET ") +
    post("/register", "Content-Length: 2\r\n", "{a") +
    get("/social/%") +
    get("/social/ids/x") +
    get("/social/a");
  const replies = await exchangeRaw(gateway.port, bytes, 6);
  assert.equal(statusesOf(replies), [404, 404, 400, 400, 400, 200]);
});

Sockets("answers earlier requests before it refuses malformed bytes after them", async () => {
  const { work, end } = openWork();
  gateway.answers.socialUsers = () => work().then(() => ({ results: [] }));
  const refusals = () => gateway.logged.filter((line) => line.msg === "refused").length;
  const before = refusals();
  const requests = `${get("/social/slow")}${get("/nope")}`;
  const replies = exchangeRaw(gateway.port, [requests, "garbage\r\n\r\n", "more\r\n", end], 3);
  assert.equal(statusesOf(await replies), [200, 404, 400]);
  assert.is(refusals() - before, 1, "the parser reports the error for every packet; it is counted once");
});

Sockets("answers Expect: 100-continue with 100 or 413", async () => {
  const asked = (length: number) => post("/register", `Expect: 100-continue\r\nContent-Length: ${length}\r\n`);
  assert.equal(statusesOf(await exchangeRaw(gateway.port, [asked(2), "{}"], 2)), [100, 200]);
  assert.equal(statusesOf(await exchangeRaw(gateway.port, asked(1_048_577))), [413]);
});

Sockets("answers OPTIONS *", async () => {
  assert.equal(statusesOf(await exchangeRaw(gateway.port, get("*").replace("GET", "OPTIONS"))), [404]);
});

Sockets("closes the connection after an upgrade request, since Node drops the requests that follow it", async () => {
  const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
  for (const [path, status] of Object.entries({ "/nope": 404, "/social/a": 200 })) {
    // The second one takes the fast path.
    for (let time = 0; time < 2; time++) {
      const [reply] = parseReplies(await readUntilClosed(gateway.port, get(path, upgrade) + get("/livez")));
      assert.equal([reply?.status, reply?.headers.connection], [status, "close"]);
    }
  }
});

Sockets("ignores the fragment of a URL", async () => {
  const [reply] = (await exchangeRaw(gateway.port, get("/social/a#b?callback=f"))) as [RawReply];
  assert.is(reply.body, '{"results":[]}');
  assert.equal(gateway.asked("screenNames"), [["a"]]);
});

Sockets("continues to serve after clients that disconnected during a request, and logs no warning", async () => {
  const parts = [
    "GET /soc",
    post("/register", "Content-Length: 9\r\n", "{"),
    get("/social/a"),
    post("/register", "Content-Length: 2000000\r\n"),
    "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
  ];
  for (const part of parts) {
    const socket = net.connect(gateway.port, "127.0.0.1");
    socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 20));
    await new Promise((resolve) => socket.once("close", resolve));
  }
  assert.is((await gateway.send({ path: "/social/a" })).status, 200);
  const wrong = gateway.logged.filter((line) => (line.level as number) >= 40);
  assert.equal(wrong, []);
});

Sockets.run();
