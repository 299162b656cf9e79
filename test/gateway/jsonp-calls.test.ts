import * as assert from "uvu/assert";
import { jsonpTarget } from "../../gateway/http/requests/jsonp-target.ts";
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
const taken: [url: string, target: string, callback: string][] = [
  [`${path}?callback=f`, path, "f"],
  [`${path}?take=3&callback=a.b`, `${path}?take=3`, "a.b"],
  [`${path}?callback=f&take=3&sinceId=`, `${path}?take=3&sinceId=`, "f"],
  [`${path}?take=3&callback=jQuery1110_1&_=1400000000000`, `${path}?take=3`, "jQuery1110_1"],
  // Only up to 20 digits, once, are jQuery's parameter; another value is a field and may be refused.
  [`${path}?callback=f&_=%zz`, `${path}?_=%zz`, "f"],
  [`${path}?callback=f&_=${"1".repeat(21)}`, `${path}?_=${"1".repeat(21)}`, "f"],
  [`${path}?callback=f&_=1&_=2`, `${path}?_=2`, "f"],
  ["/social/a%2Cb?callback=f&screenNames=c%2Cd", "/social/a%2Cb?screenNames=c%2Cd", "f"],
];
for (const [url, target, callback] of taken) {
  Calls(`are split into target and callback: ${url}`, () => assert.equal(jsonpTarget(url), { target, callback }));
}

const left = [
  path,
  `${path}?callback=`,
  `${path}?callback=if`,
  `${path}?callback=f&callback=f`,
  `${path}?callback=f&CALLBACK=g`,
  `${path}?callback=f&%63allback=g`,
  `${path}?callback=f&call+back=g`,
  `${path}?callback=f&&take=3`,
  `${path}?callback=%66`,
  `${path}?callback=f()`,
  `${path}?callback=été`,
  `${path}#?callback=f`,
  `${path}?take=3#&callback=f`,
  `/callback=f${path}`,
  `${path}?callback=f&screenName=${"a".repeat(48 * 1024)}`,
];
for (const url of left) {
  Calls(`are left to the router: ${url.slice(0, 60)}`, () => assert.is(jsonpTarget(url), undefined));
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

Calls.run();
