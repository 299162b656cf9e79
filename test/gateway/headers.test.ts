import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import * as assert from "uvu/assert";
import { loadConfig } from "../../gateway/config.ts";
import { compileRanges } from "../../gateway/http/sockets/trusted-proxies.ts";
import { suite } from "../support/suite.ts";
import { opensSession, startFakeGateway, useFakeGateway } from "./fake-gateway.ts";
import { exchangeRaw, type Piece, readUntilClosed, statusesOf } from "./raw-socket.ts";

const Headers = suite("gateway headers");
const gateway = useFakeGateway(Headers, { trustProxy: ["127.0.0.1"] });

Headers("have nosniff, a content security policy, DENY for frames and no-referrer on every reply", async () => {
  const paths = ["/social/a", "/nope", "/social/%", "/api/Nope", "/social/a?callback=f", "/json/oneway/SocialUsers"];
  for (const path of paths) {
    const { headers } = await gateway.send({ path });
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.is(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'");
    assert.equal([headers["x-frame-options"], headers["referrer-policy"]], ["DENY", "no-referrer"]);
  }
});

Headers("have the session as a cookie, with Secure when the trusted proxy says https", async () => {
  gateway.answers.registration = opensSession("3Zz_-9; max-age=1209600");
  const cookies = async (headers: Record<string, string>) =>
    (await gateway.send({ method: "POST", path: "/register", headers })).headers["set-cookie"];
  const plain = "ss-id=3Zz_-9; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax";
  assert.equal(await cookies({}), [plain]);
  assert.equal(await cookies({ "x-forwarded-proto": "https" }), [`${plain}; Secure`]);
  assert.equal(await cookies({ "x-forwarded-proto": "http" }), [plain]);
});

Headers("have the names that some clients look for letter by letter, on every path to a reply", async () => {
  gateway.answers.registration = opensSession("a; max-age=1");
  const names = new Set<string>();
  const reads = ["/social/ann", "/social/ann?callback=show", "/docs", "/@ann", "/timelines/home/live", "/readyz"];
  const posts = ["/register", "/json/reply/SocialUsers[]"];
  // Twice the same ones, since the second takes the fast path.
  for (const headers of [{}, {}, { origin: "https://a.example", "if-none-match": "*" }]) {
    for (const path of [...reads, ...posts, "/nothing/here", "/%zz"]) {
      const request = http.request(`${gateway.url}${path}`, { method: posts.includes(path) ? "POST" : "GET", headers });
      request.end(path.includes("[]") ? "[{}]" : "");
      const [reply] = (await once(request, "response")) as [http.IncomingMessage];
      reply.resume();
      for (const name of reply.rawHeaders.filter((_, index) => index % 2 === 0)) names.add(name);
    }
  }
  const [head = ""] = (await readUntilClosed(gateway.port, "no HTTP\r\n\r\n")).split("\r\n\r\n");
  for (const [, name] of head.matchAll(/^([^:\s]+): /gm)) names.add(name as string);
  const isUsual = (name: string) => /^(?:ETag|X-AutoBatch-Completed|[A-Z][a-z]*(?:-[A-Z][a-z]*)*)$/.test(name);
  const unusual = [...names].filter((name) => !isUsual(name));
  assert.equal(unusual, []);
  for (const name of ["Set-Cookie", "Content-Type", "ETag", "X-AutoBatch-Completed"]) assert.ok(names.has(name), name);
});

Headers("do not depend on X-Forwarded-Proto and X-Forwarded-For of an untrusted proxy", async () => {
  const direct = await startFakeGateway();
  direct.answers.registration = opensSession("a; max-age=1");
  const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.10" };
  const reply = await direct.send({ method: "POST", path: "/register", headers });
  await direct.stop();
  assert.equal(reply.headers["set-cookie"], ["ss-id=a; Max-Age=1; Path=/; HttpOnly; SameSite=Lax"]);
  assert.is(direct.calls[0]?.header.get("roost-address"), "127.0.0.1");
});

Headers("set no cookie from a service's session header with further attributes, which is a defect", async () => {
  gateway.answers.registration = opensSession("a; domain=evil.example; max-age=1");
  const reply = await gateway.send({ method: "POST", path: "/register" });
  assert.is(reply.status, 500);
  assert.is(reply.headers["set-cookie"], undefined);
  assert.not.match(JSON.stringify(gateway.logged), "evil.example");
});

Headers("of the service cannot be set by a caller", async () => {
  const forged = {
    "roost-anonymous": "jsonp",
    "roost-session": "x",
    "roost-viewer": "77",
    "roost-address": "192.0.2.1",
  };
  await gateway.send({ path: "/register", headers: forged });
  const received = Object.keys(forged).map((name) => gateway.calls[0]?.header.get(name));
  assert.equal(received, [null, null, null, "127.0.0.1"]);
});

Headers.run();

const Balanced = suite("a gateway behind a TCP balancer");
useFakeGateway(Balanced, { proxyProtocolFrom: ["loopback"] }, gateway);

const signature = "\r\n\r\n\0\r\nQUIT\n";
const ports = "\x30\x39\x1f\x90";
const ipv4 = `${signature}\x21\x11\0\x0c\xc6\x33\x64\x07\x7f\0\0\x01${ports}`;
const ipv6 = `${signature}\x21\x21\0\x24\x20\x01\x0d\xb8${"\0".repeat(11)}\x07${"\0".repeat(15)}\x01${ports}`;

const body = '{"userName":"ann","password":"correct horse"}';
const register = `POST /register HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** The client address that the account service gets with a registration. */
async function addressBy(pieces: Piece | readonly Piece[]): Promise<string | null | undefined> {
  const [reply] = await exchangeRaw(gateway.port, pieces);
  assert.is(reply?.status, 200);
  return gateway.calls.at(-1)?.header.get("roost-address");
}

Balanced("takes the client's address from the PROXY header, and the balancer's where it has none", async () => {
  assert.is(await addressBy(ipv4 + register), "198.51.100.7");
  assert.is(await addressBy(ipv6 + register), "2001:db8::7");
  const furtherFields = `${ipv4.replace("\0\x0c", "\0\x13")}\x03\0\x04abcd`;
  assert.is(await addressBy(furtherFields + register), "198.51.100.7");
  assert.is(await addressBy(`${signature}\x20\0\0\0${register}`), "127.0.0.1", "its own health check");
  assert.is(await addressBy(`${signature}\x21\x31\0\x04path${register}`), "127.0.0.1", "another kind of address");
});

Balanced("reads a header in several pieces, which counts for all requests of the connection", async () => {
  assert.is(await addressBy([...ipv4, register]), "198.51.100.7");
  const replies = await exchangeRaw(gateway.port, ipv4 + register + register, 2);
  assert.equal(statusesOf(replies), [200, 200]);
  assert.is(gateway.calls.at(-1)?.header.get("roost-address"), "198.51.100.7");
});

for (const [what, bytes] of [
  ["no header", register],
  ["version 1", `PROXY TCP4 198.51.100.7 127.0.0.1 1 2\r\n${register}`],
  ["another version", ipv4.replace("\x21\x11", "\x31\x11") + register],
  ["a header without end", `${signature}\x21\x11\xff\xff${"x".repeat(5_000)}`],
  ["a truncated header", ipv4.slice(0, 20)],
  ["a header too short for its addresses", ipv4.slice(0, 14) + "\0\x04" + "abcd" + register],
  ["a command that does not exist", ipv4.replace("\x21\x11", "\x22\x11") + register],
] as const) {
  Balanced(`closes the connection on ${what}`, async () => {
    assert.is(await bytesUntilEnd(bytes), "");
    assert.equal(gateway.calls, []);
  });
}

/** Everything that is received until the connection ends. */
function bytesUntilEnd(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = net.connect(gateway.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

Balanced("serves other addresses as usual, and refuses their PROXY headers", async () => {
  const other = await startFakeGateway({ proxyProtocolFrom: ["192.0.2.0/24"] });
  const [plain] = await exchangeRaw(other.port, register);
  assert.is(plain?.status, 200);
  assert.is(other.calls.at(-1)?.header.get("roost-address"), "127.0.0.1");
  const [forged] = await exchangeRaw(other.port, ipv4 + register);
  assert.is(forged?.status, 400);
  await other.stop();
});

Balanced("takes the address from X-Forwarded-For of a trusted proxy before the balancer", async () => {
  const behind = await startFakeGateway({ proxyProtocolFrom: ["loopback"], trustProxy: ["198.51.100.0/24"] });
  const forwarded = register.replace("Host: a", "Host: a\r\nX-Forwarded-For: 203.0.113.9");
  await exchangeRaw(behind.port, ipv4 + forwarded);
  assert.is(behind.calls.at(-1)?.header.get("roost-address"), "203.0.113.9");
  await exchangeRaw(behind.port, ipv6 + forwarded);
  assert.is(behind.calls.at(-1)?.header.get("roost-address"), "2001:db8::7");
  await behind.stop();
});

Balanced("reads address ranges by name, address and prefix", () => {
  const isOne = compileRanges(["uniquelocal", "192.0.2.7", "2001:db8::/32"]);
  for (const one of ["10.1.2.3", "::ffff:172.20.0.1", "192.0.2.7", "2001:db8:1::", "fd00::1"])
    assert.ok(isOne(one), one);
  for (const other of ["11.0.0.1", "192.0.2.8", "2001:db9::", "x", undefined]) assert.not(isOne(other), other);
});

Balanced("refuses ranges that are none, and to trust every address as a proxy", () => {
  assert.throws(() => loadConfig({ PROXY_PROTOCOL_FROM: "somewhere" }), /PROXY_PROTOCOL_FROM/);
  assert.is(loadConfig({}).trustProxy, false);
  assert.equal(loadConfig({ TRUST_PROXY: "10.0.0.0/8,loopback" }).trustProxy, ["10.0.0.0/8", "loopback"]);
  // These would let a client choose its address.
  for (const anyAddress of ["true", "loopback,true", "0.0.0.0/0", "::/0"]) {
    assert.throws(() => loadConfig({ TRUST_PROXY: anyAddress }), /TRUST_PROXY must/, anyAddress);
  }
});

Balanced.run();
