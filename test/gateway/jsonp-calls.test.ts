import * as assert from "uvu/assert";
import { createScriptEscaper } from "../../gateway/rendering/jsonp.ts";
import { suite } from "../support/suite.ts";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";
import { lastLine, seen } from "./fast-replies.ts";

const Calls = suite("gateway JSONP calls");
let gateway: FakeGateway;

Calls.before(async () => {
  gateway = await startFakeGateway();
  gateway.answers.socialTimelines = ({ take = 0n }) => ({
    results: [{ id: take, text: "ends\u2028here\u2029", source: "<a>x</a>" }],
    version: "s1.0",
  });
});
Calls.after(() => gateway?.stop());

const path = "/social/ann/timelines";
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
  Calls(
    `get the router's reply also where their target was served without a callback: ?${query.slice(0, 60)}`,
    async () => {
      const pairs = query.split("&").filter((pair) => !/^(?:callback|_)=/.test(pair));
      for (let time = 0; time < 2; time++) await gateway.send({ path: [path, ...pairs].join("&").replace("&", "?") });
      const ask = (more = "") => gateway.send({ path: `${path}?${more}${query}` });
      // The router answers a target that it has not seen before.
      const routed = seen(await ask("more=1&"));
      for (let time = 0; time < 3; time++) assert.equal(seen(await ask()), routed);
    },
  );
}

/** Whether the last call took the fast path: its log line has no reference, unlike the router's. */
async function wasFast(): Promise<boolean> {
  const line = await lastLine(gateway);
  assert.is(line?.["jsonp"], true);
  return line?.["reference"] === undefined;
}

Calls("get the same reply from the fast path as from the router, with any callback", async () => {
  const ask = (query: string, headers = {}) => gateway.send({ path: `${path}?${query}`, headers });
  const session = { authorization: "Bearer s", cookie: "ss-id=s", "if-none-match": "*", origin: "https://a.example" };
  const first = await ask("take=1&callback=show");
  assert.not(await wasFast());
  assert.match(first.text, 'show({"results":[{');
  assert.match(first.text, '"ends\\u2028here\\u2029"');
  assert.match(first.text, '"<a>x<\\/a>"');
  assert.equal(seen(await ask("take=1&callback=show")), seen(first));
  assert.ok(await wasFast());
  const other = await ask("callback=jQuery1_2&take=1&_=17");
  assert.ok(await wasFast());
  assert.is(other.text, first.text.replace("show(", "jQuery1_2("));
  assert.is(other.headers["content-length"], `${Buffer.byteLength(other.text)}`);
  const viewer = await ask("take=1&callback=show", session);
  assert.ok(await wasFast());
  // With another target, so that the router answers.
  const routed = await ask("take=1&more=1&callback=show", session);
  assert.not(await wasFast());
  assert.equal(seen(viewer), seen(routed));
  const head = await gateway.send({ method: "HEAD", path: `${path}?take=1&callback=show` });
  assert.ok(await wasFast());
  assert.equal([head.text, head.headers["content-length"]], ["", first.headers["content-length"]]);
});

Calls("do not change the reply of the same target without a callback", async () => {
  await gateway.send({ path: `${path}?take=2&callback=show` });
  await gateway.send({ path: `${path}?take=2&callback=show&Callback=show` });
  const plain = await gateway.send({ path: `${path}?take=2` });
  assert.is(plain.headers["content-type"], "application/json");
  assert.match(plain.text, "</a>");
  const both = await gateway.send({ path: `${path}?take=2&Callback=show` });
  assert.is(both.headers["content-type"], "text/javascript; charset=utf-8");
});

Calls("get a wrapped error when the service fails", async () => {
  const asked = { path: `${path}?take=4&callback=show` };
  await gateway.send(asked);
  const sound = gateway.answers.socialTimelines;
  gateway.answers.socialTimelines = () => {
    throw new Error("broken");
  };
  const reply = await gateway.send(asked);
  gateway.answers.socialTimelines = sound;
  assert.is(reply.status, 200);
  assert.match(reply.text, 'show({"responseStatus":{"errorCode":"InternalServerError"');
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
