import * as assert from "uvu/assert";
import { maxHeaderBytes } from "../../gateway/http/limits/limits.ts";
import { createScriptEscaper } from "../../gateway/rendering/jsonp.ts";
import { suite } from "../support/suite.ts";
import { seen, startFakeGateway, useFakeGateway, wasFast } from "./fake-gateway.ts";
import { exchangeRaw } from "./raw-socket.ts";

const Posts = suite("gateway POSTs of short bodies");
const gateway = useFakeGateway(Posts);

Posts.before(async () => {
  gateway.answers.socialTimelines = ({ screenName, take = 0n }) => ({
    results: [{ id: take, text: `of ${screenName}` }],
    version: `s1.${take}`,
  });
});

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

Posts("get no 304 as a GET whose body differs from that of the tag", async () => {
  const get = (take: number, headers = {}) =>
    gateway.send({ path, headers: { ...json, ...headers }, body: `{"screenName":"ann","take":${take}}` });
  const known = { "if-none-match": (await get(5)).headers.etag };
  assert.is((await get(5, known)).status, 304);
  assert.match((await get(6, known)).text, '"id":6');
});

Posts("are left to the router when they are long, in chunks, by another verb or with a callback", async () => {
  const long = `{"screenName":"ann","take":6,"more":"${"x".repeat(1_024)}"}`;
  const short = '{"screenName":"ann","take":6}';
  for (const ask of [
    () => post(long),
    () => post(short, { "transfer-encoding": "chunked" }),
    () => post(short, {}, `${path}?callback=f`),
    () => gateway.send({ method: "PUT", path, headers: json, body: short }),
  ]) {
    for (let round = 0; round < 3; round++) {
      assert.match((await ask()).text, '"id":6');
      assert.not(await wasFast(gateway));
    }
  }
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

Posts("are refused by the request checks as GETs are, also for a served target", async () => {
  const body = '{"screenName":"ann","take":10}';
  const postHead = `POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  for (const [head, end] of [
    [postHead, body],
    ["GET /social/ann/timelines HTTP/1.1\r\n", ""],
  ] as const) {
    const ask = async (headers: string) => {
      const [reply] = await exchangeRaw(gateway.port, `${head}${headers}connection: close\r\n\r\n${end}`);
      return reply?.status;
    };
    assert.is(await ask("host: a\r\n"), 200);
    assert.is(await ask("host: a\r\n"), 200);
    assert.ok(await wasFast(gateway));
    assert.is(await ask(""), 400, "no Host");
    assert.is(await ask("host: a\r\nhost: b\r\n"), 400, "two Hosts");
    assert.is(await ask("host: a\r\nexpect: more\r\n"), 417, "an expectation");
    assert.is(await ask(`host: a\r\nmore: ${"x".repeat(maxHeaderBytes)}\r\n`), 431, "long headers");
  }
});

Posts.run();

const Calls = suite("gateway JSONP calls");
useFakeGateway(Calls, {}, gateway);

Calls.before(async () => {
  gateway.answers.socialTimelines = ({ take = 0n }) => ({
    results: [{ id: take, text: "ends\u2028here\u2029", source: "<a>x</a>" }],
    version: "s1.0",
  });
});

const timeline = "/social/ann/timelines";
/** Queries of calls that the fast path can take, and of others, which look alike. */
const queries = [
  "callback=f",
  "take=3&callback=a.b",
  "callback=f&take=3&sinceId=",
  "take=3&callback=jQuery1110_1&_=1400000000000",
  // Only up to 20 digits, once, are jQuery's parameter; another value is a field and may be refused.
  "callback=f&_=%zz",
  `callback=f&_=${"1".repeat(21)}`,
  "callback=f&_=1&_=2",
  "callback=f&screenName=c%2Cd",
  "callback=",
  "callback=if",
  "callback=f&callback=f",
  "callback=f&CALLBACK=g",
  "callback=f&%63allback=g",
  "callback=f&call+back=g",
  "callback=f&&take=3",
  "callback=%66",
  "callback=f()",
  "callback=%C3%A9t%C3%A9",
  "take=3#&callback=f",
  `callback=f&screenName=${"a".repeat(48 * 1024)}`,
];
for (const query of queries) {
  Calls(`get the router's reply where their target was served without a callback: ?${query.slice(0, 60)}`, async () => {
    const pairs = query.split("&").filter((pair) => !/^(?:callback|_)=/.test(pair));
    for (let time = 0; time < 2; time++) await gateway.send({ path: [timeline, ...pairs].join("&").replace("&", "?") });
    const ask = (more = "") => gateway.send({ path: `${timeline}?${more}${query}` });
    // The router answers a target that it has not seen before.
    const routed = seen(await ask("more=1&"));
    for (let time = 0; time < 3; time++) assert.equal(seen(await ask()), routed);
  });
}

Calls("get the same reply from the fast path as from the router, with any callback", async () => {
  const ask = (query: string, headers = {}) => gateway.send({ path: `${timeline}?${query}`, headers });
  const session = { authorization: "Bearer s", cookie: "ss-id=s", "if-none-match": "*", origin: "https://a.example" };
  const first = await ask("take=1&callback=show");
  assert.not(await wasFast(gateway));
  assert.match(first.text, 'show({"results":[{');
  assert.match(first.text, '"ends\\u2028here\\u2029"');
  assert.match(first.text, '"<a>x<\\/a>"');
  assert.equal(seen(await ask("take=1&callback=show")), seen(first));
  assert.ok(await wasFast(gateway));
  const other = await ask("callback=jQuery1_2&take=1&_=17");
  assert.ok(await wasFast(gateway));
  assert.is(other.text, first.text.replace("show(", "jQuery1_2("));
  assert.is(other.headers["content-length"], `${Buffer.byteLength(other.text)}`);
  const viewer = await ask("take=1&callback=show", session);
  assert.ok(await wasFast(gateway));
  // With another target, so that the router answers.
  const routed = await ask("take=1&more=1&callback=show", session);
  assert.not(await wasFast(gateway));
  assert.equal(seen(viewer), seen(routed));
  const head = await gateway.send({ method: "HEAD", path: `${timeline}?take=1&callback=show` });
  assert.ok(await wasFast(gateway));
  assert.equal([head.text, head.headers["content-length"]], ["", first.headers["content-length"]]);
});

Calls("do not change the reply of the same target without a callback", async () => {
  const typeOf = async (query: string) => (await gateway.send({ path: timeline + query })).headers["content-type"];
  for (const query of ["callback=show", "callback=show&Callback=show"]) await typeOf(`?take=2&${query}`);
  assert.is(await typeOf("?take=2"), "application/json");
  assert.is(await typeOf("?take=2&Callback=show"), "text/javascript; charset=utf-8");
});

Calls("are escaped one in each turn of the event loop where they are a batch, and equal ones once", async () => {
  const escape = createScriptEscaper();
  const replies = ['"</"', '"\u2028"', '"c"'].map((text) => Buffer.from(text));
  const done: string[] = [];
  const escaped = replies.map((reply) => escape(reply));
  for (const one of escaped) void one.then((bytes) => done.push(bytes.toString()));
  assert.is(escape(replies[1] as Buffer), escaped[1]);
  const turns: number[] = [];
  while (turns.at(-1) !== replies.length) {
    await new Promise(setImmediate);
    turns.push(done.length);
  }
  assert.equal(
    turns.filter((count) => count > 0),
    [1, 2, 3],
  );
  assert.equal(done, ['"<\\/"', '"\\u2028"', '"c"']);
});

Calls.run();
