import * as assert from "uvu/assert";
import { html } from "../../gateway/site/metadata/html.ts";
import { startFakeGateway, useFakeGateway } from "../gateway/fake-gateway.ts";
import { suite } from "../support/suite.ts";
import { createReplyCheck, type OpenApi } from "./open-api.ts";

const Metadata = suite("discovery: pages");
const gateway = useFakeGateway(Metadata);

const names = ["Registration", "SocialUsers", "SocialTimelines"];
const paths = (
  "/openapi.json /docs /metadata /metadata/SocialUsers /json/metadata /types/typescript /types/csharp " +
  "/metadata/metadata.css /metadata/try.js"
).split(" ");

Metadata("list every operation, with a link to its page", async () => {
  const { text } = await gateway.send({ path: "/metadata" });
  for (const name of names) assert.match(text, `<a href="/metadata/${name}">${name}</a>`);
  assert.match(text, "/social/ids/{UserIds}");
  assert.match(text, "SocialUsers looks profiles up by id and by screen name.");
});

Metadata("of an operation are found by path and by `op`, without regard to case", async () => {
  const { text } = await gateway.send({ path: "/metadata/SocialUsers" });
  assert.match(text, "<h1>SocialUsers</h1>");
  for (const path of ["/metadata/socialusers/", "/json/metadata?op=SOCIALUSERS", "/JSON/metadata?x=1&OP=SocialUsers"]) {
    assert.is((await gateway.send({ path })).text, text, path);
  }
  const { text: index } = await gateway.send({ path: "/metadata" });
  assert.is((await gateway.send({ path: "/json/metadata" })).text, index);
});

Metadata("include one reference of all operations and types, without broken links", async () => {
  const { text } = await gateway.send({ path: "/docs" });
  const ids = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
  assert.equal(ids, [...new Set(ids)]);
  for (const name of names) assert.ok(ids.includes(`op-${name}`), name);
  const targets = Array.from(text.matchAll(/ href="#([^"]+)"/g), ([, id]) => id);
  assert.ok(targets.length > 10);
  const wrong = targets.filter((target) => !ids.includes(target));
  assert.equal(wrong, []);
  assert.match(text, '<a href="/metadata/SocialUsers#try-it">');
});

Metadata("answer 404 with the existing documents for those that only ServiceStack has", async () => {
  for (const path of ["/metadata.json", "/types", "/types/fsharp", "/types/typescript.d"]) {
    const { status, text } = await gateway.send({ path });
    assert.is(status, 404, path);
    assert.match(text, /"NotFound".*\/openapi\.json.*\/metadata.*\/types\/typescript.*\/types\/csharp/, path);
  }
});

Metadata("write no Host header into generated classes that could end their comment", async () => {
  const { text } = await gateway.send({ path: "/types/csharp", headers: { host: "a*/b" } });
  assert.not.match(text, "a*/b");
});

Metadata("list every public field with its type and meaning, and no internal one", async () => {
  const { text } = await gateway.send({ path: "/metadata/SocialTimelines" });
  const row = (field: string, type: string) => `<th scope="row"><code>${field}</code></th><td>${type}</td>`;
  assert.match(text, `${row("take", "integer")}<td>The most statuses to return`);
  assert.match(text, `${row("sinceId", "string")}<td>Only statuses newer`);
  assert.match(text, `${row("retweet_count", "string")}<td>always</td>`);
  assert.match(text, `${row("in_reply_to_status_id", "integer")}<td>when there is one</td>`);
  assert.match(text, row("results", 'array of <a href="#Status">Status</a>'));
  assert.match(text, row("sizes", 'map from string to <a href="#Size">Size</a>'));
  assert.match(text, row("indicies", "array of integer"));
  assert.not.match(text, "<code>author</code>");
});

Metadata("show a sample request that the gateway accepts, and a sample reply as the document has it", async () => {
  const document = JSON.parse((await gateway.send({ path: "/openapi.json" })).text) as OpenApi;
  const check = createReplyCheck(document);
  for (const name of names) {
    const { text } = await gateway.send({ path: `/metadata/${name}` });
    const [body, json] = ["request", "reply"].map((kind) => sampleIn(text, kind)) as [string, string];
    assert.is((await gateway.send({ method: "POST", path: `/json/reply/${name}`, body })).status, 200);
    assert.is(gateway.calls.pop()?.operation, name);
    const reply = JSON.parse(json) as Record<string, unknown>;
    assert.is(check(`/json/reply/${name}`, 200, reply), undefined);
    assert.ok(Object.keys(reply).length > 0);
  }
});

Metadata("answer 404 in the error shape for an operation that does not exist", async () => {
  for (const path of ["/metadata/Nothing", "/json/metadata?op=Nothing", "/metadata/nothing.css", "/docs/other.js"]) {
    const { status, text, headers } = await gateway.send({ path });
    assert.is(status, 404, path);
    assert.is(JSON.parse(text).responseStatus.errorCode, "NotFound");
    assert.is(headers["content-type"], "application/json");
  }
});

Metadata("answer GET and HEAD alike, and 405 in the error shape to other verbs", async () => {
  for (const path of paths) {
    const got = await gateway.send({ path });
    const head = await gateway.send({ path, method: "HEAD" });
    assert.equal([got.status, head.status, head.text], [200, 200, ""], path);
    assert.is(head.headers["content-length"], `${Buffer.byteLength(got.text)}`);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
      const { status, text, headers } = await gateway.send({ path, method });
      assert.equal([status, headers.allow, headers["cache-control"]], [405, "GET, HEAD", "no-store"], path);
      assert.is(JSON.parse(text).responseStatus.errorCode, "NotImplementedException");
    }
  }
});

Metadata("have nosniff and an entity tag, and HTML a policy without inline scripts", async () => {
  for (const path of paths) {
    const { headers } = await gateway.send({ path });
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.equal([headers["x-frame-options"], headers["referrer-policy"]], ["DENY", "no-referrer"]);
    assert.is(headers["strict-transport-security"], undefined);
    assert.ok(headers.etag, path);
    if (headers["content-type"]?.startsWith("text/html")) {
      const policy = headers["content-security-policy"] as string;
      assert.match(policy, "default-src 'none'; script-src 'self';");
      assert.not.match(policy, /unsafe|https?:|\*/);
    }
  }
});

Metadata("send Strict-Transport-Security over TLS", async () => {
  const behind = await startFakeGateway({ trustProxy: ["127.0.0.0/8"] });
  for (const path of ["/", "/metadata", "/docs"]) {
    const { headers } = await behind.send({ path, headers: { "x-forwarded-proto": "https" } });
    assert.is(headers["strict-transport-security"], "max-age=31536000");
  }
  await behind.stop();
});

Metadata("escape values in HTML", () => {
  const { text } = html`<p title="${`"'`}">${"<script>&"}${["<", html`<b>`]}</p>`;
  assert.is(text, '<p title="&#34;&#39;">&#60;script&#62;&#38;&#60;<b></p>');
});

Metadata.run();

/** The sample request or reply of a page. */
function sampleIn(page: string, kind: string): string | undefined {
  const [, text] = new RegExp(`<pre [^>]*"sample-${kind}">([^<]*)<`).exec(page) ?? [];
  return text?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
