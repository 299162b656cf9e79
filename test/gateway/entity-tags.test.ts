import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FakeGateway, startFakeGateway } from "./fake-gateway.ts";

const Tags = suite("entity tags");
let gateway: FakeGateway;
const path = "/social/ann/timelines";

Tags.before(async () => {
  gateway = await startFakeGateway();
});
Tags.before.each(() => {
  gateway.answers.socialTimelines = () => ({ results: [{ id: 1n, text: "one" }], freshness: "s1.1" });
});
Tags.after(() => gateway.stop());

async function tagOf(target = path, method = "GET"): Promise<string | undefined> {
  return (await gateway.send({ path: target, method })).headers.etag;
}

async function ask(ifNoneMatch: string, method = "GET") {
  const { status, text, headers } = await gateway.send({ path, method, headers: { "if-none-match": ifNoneMatch } });
  return { status, length: text.length, headers };
}

Tags("are on lookups and timelines on every verb, and on nothing else", async () => {
  assert.is(await tagOf(), '"s1.1"');
  assert.is(await tagOf(path, "POST"), await tagOf());
  assert.is(await tagOf(path, "HEAD"), await tagOf());
  assert.ok(await tagOf("/social/ann"));
  assert.is(await tagOf("/register"), undefined);
  assert.is(await tagOf(`${path}?callback=cb`), undefined);
  assert.is(await tagOf(`${path}?take=x`), undefined);
});

Tags("are hashes of what only its viewer sees", async () => {
  gateway.answers.getSession = () => ({ userId: 1n });
  const ask = () => gateway.send({ path, headers: { authorization: "Bearer s" } });
  const before = (await ask()).headers.etag ?? "";
  assert.match(before, /^"[\w-]{22}"$/);
  gateway.answers.socialTimelines = () => ({ results: [{ id: 1n, text: "two" }], freshness: "s1.1" });
  assert.is.not((await ask()).headers.etag, before);
});

Tags("change with the reply, and with nothing else", async () => {
  const before = await tagOf();
  assert.is(await tagOf(`${path}?format=json`), before);
  gateway.answers.socialTimelines = () => ({ results: [{ id: 1n, text: "two" }], freshness: "s1.2" });
  assert.is.not(await tagOf(), before);
});

Tags("spare a client that has the reply: 304 without a body, with the same headers", async () => {
  const tag = (await tagOf()) ?? "";
  for (const known of [tag, `"x", ${tag}`, `W/${tag}`, "*", ` ${tag} `]) {
    const { status, length, headers } = await ask(known);
    assert.equal([status, length], [304, 0], known);
    assert.equal([headers.etag, headers["cache-control"], headers["content-type"]], [tag, "no-cache", undefined]);
    assert.is(headers.vary, "Accept-Encoding, Authorization, Cookie");
  }
  assert.is((await ask(tag, "HEAD")).status, 304);
});

Tags("count for GET and HEAD only, and only when they match", async () => {
  const tag = (await tagOf()) ?? "";
  for (const method of ["POST", "PUT", "OPTIONS", "DELETE"]) assert.is((await ask(tag, method)).status, 200, method);
  for (const known of ['"other"', tag.slice(1, -1), tag.toUpperCase(), '""', ""])
    assert.is((await ask(known)).status, 200, known);
});

Tags.run();
