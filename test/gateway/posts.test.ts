import * as assert from "uvu/assert";
import { maxHeaderBytes } from "../../gateway/http/limits/limits.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { seen, wasFast } from "./fast-replies.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Posts = suite("gateway POSTs of short bodies");
let gateway: FakeGateway;

Posts.before(async () => {
  gateway = await startFakeGateway();
  gateway.answers.socialTimelines = ({ screenName, take = 0n }) => ({
    results: [{ id: take, text: `of ${screenName}` }],
    version: `s1.${take}`,
  });
});
Posts.after(() => gateway?.stop());

const path = "/json/reply/SocialTimelines";
const json = { "content-type": "application/json" };

const post = (body: string, headers = {}, to = path) =>
  gateway.send({ method: "POST", path: to, headers: { ...json, ...headers }, body });

Posts("get the same reply from the fast path as from the router", async () => {
  const body = '{"screenName":"ann","take":1}';
  const first = await post(body);
  assert.not(await wasFast(gateway));
  assert.match(first.text, "of ann");
  assert.equal(seen(await post(body)), seen(first));
  assert.ok(await wasFast(gateway));
  // If-None-Match counts for GET and HEAD only.
  const known = await post(body, { "if-none-match": first.headers.etag });
  assert.equal(seen(known), seen(first));
  assert.ok(await wasFast(gateway));
  const other = await post(body, { origin: "https://a.example", "accept-encoding": "gzip" });
  assert.ok(await wasFast(gateway));
  const routed = await post(body, { origin: "https://a.example", "accept-encoding": "gzip" }, `${path}?more=1`);
  assert.not(await wasFast(gateway));
  assert.equal(seen(other), seen(routed));
});

Posts("are distinguished by body, content type, encoding and query", async () => {
  for (let round = 0; round < 2; round++) {
    assert.match((await post('{"screenName":"bea","take":2}')).text, '"id":2');
    assert.match((await post('{"screenName":"cay","take":2}')).text, "of cay");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assert.match((await post("screenName=dee&take=3", form)).text, "of dee");
    assert.is((await post("screenName=dee&take=3")).status, 400);
    assert.is((await post('{"screenName":"bea","take":2}', { "content-encoding": "gzip" })).status, 400);
    assert.match((await post('{"screenName":"bea"}', {}, `${path}?take=4`)).text, '"id":4');
    assert.match((await post('{"screenName":"bea"}', {}, `${path}?take=5`)).text, '"id":5');
  }
});

Posts("are left to the router when they are long, in chunks, by another verb or with a callback", async () => {
  const long = `{"screenName":"ann","take":6,"more":"${"x".repeat(1_024)}"}`;
  const short = '{"screenName":"ann","take":6}';
  for (let round = 0; round < 3; round++) {
    for (const ask of [
      () => post(long),
      () => post(short, { "transfer-encoding": "chunked" }),
      () => post(short, {}, `${path}?callback=f`),
      () => gateway.send({ method: "PUT", path, headers: json, body: short }),
    ]) {
      assert.match((await ask()).text, '"id":6');
      assert.not(await wasFast(gateway));
    }
  }
});

Posts("get 500 when the service fails, and the usual reply after that", async () => {
  const body = '{"screenName":"ann","take":7}';
  const first = await post(body);
  const sound = gateway.answers.socialTimelines;
  gateway.answers.socialTimelines = () => {
    throw new Error("broken");
  };
  const broken = await post(body);
  gateway.answers.socialTimelines = sound;
  assert.is(broken.status, 500);
  assert.match(broken.text, '{"responseStatus":{"errorCode":"InternalServerError"');
  assert.equal(seen(await post(body)), seen(first));
});

Posts("are answered for the caller of each request", async () => {
  const body = '{"screenName":"ann","take":8}';
  gateway.answers.getSession = ({ sessionId }) => (sessionId === "known" ? { userId: 5n } : {});
  for (let round = 0; round < 2; round++) {
    assert.is((await post(body)).headers["cache-control"], "no-cache");
    const bearer = await post(body, { authorization: "Bearer known" });
    assert.is(bearer.headers["cache-control"], "private, no-cache");
    assert.is(gateway.calls.at(-1)?.header.get("roost-viewer"), "5");
  }
});

Posts("are answered when their bodies arrive in pieces, and get 408 when these do not end", async () => {
  const body = '{"screenName":"ann","take":9}';
  await post(body);
  const head = (length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const [reply] = await exchangeRaw(gateway.port, [head(body.length), body.slice(0, 7), body.slice(7)]);
  assert.match(reply?.body as string, '"id":9');
  assert.ok(await wasFast(gateway));
  const slow = await startFakeGateway({ requestTimeoutMs: 300 });
  slow.answers.socialTimelines = gateway.answers.socialTimelines;
  await slow.send({ method: "POST", path, headers: json, body });
  const [late] = await exchangeRaw(slow.port, [head(body.length), body.slice(0, 7)]);
  await slow.stop();
  assert.equal([late?.status, JSON.parse(late?.body as string).responseStatus.errorCode], [408, "Timeout"]);
});

Posts("are refused by the request checks, also for a served target", async () => {
  const body = '{"screenName":"ann","take":10}';
  const ask = async (headers: string) => {
    const head = `POST ${path} HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}`;
    const [reply] = await exchangeRaw(gateway.port, `${head}\r\nconnection: close\r\n\r\n${body}`);
    return reply?.status;
  };
  assert.is(await ask("host: a\r\n"), 200);
  assert.is(await ask("host: a\r\n"), 200);
  assert.ok(await wasFast(gateway));
  assert.is(await ask(""), 400, "no Host");
  assert.is(await ask("host: a\r\nhost: b\r\n"), 400, "two Hosts");
  assert.is(await ask("host: a\r\nexpect: more\r\n"), 417, "an expectation");
  assert.is(await ask(`host: a\r\nmore: ${"x".repeat(maxHeaderBytes)}\r\n`), 431, "long headers");
});

Posts.run();
