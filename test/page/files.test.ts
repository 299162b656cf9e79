import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import * as assert from "uvu/assert";
import { addRequestContext, beginContext } from "../../gateway/http/requests/request-context.ts";
import { routedTarget } from "../../gateway/http/requests/request-target.ts";
import { parseOperationPath } from "../../gateway/operations/paths.ts";
import { addPage } from "../../gateway/site/page/page-routes.ts";
import { suite } from "../support/suite.ts";

const Files = suite("page: files");
const app = Fastify({ rewriteUrl: (request) => routedTarget(request.url ?? "/") });
addRequestContext(app);
app.addHook("onRequest", async (request) => beginContext(request));
// The gateway serves all verbs; addReadOnly decides here.
const paths = ["/social/{ScreenName}", "/Timelines/publish"].map(parseOperationPath);
addPage(app, [{ name: "PublishStatus", paths }], {
  settings: { statusLength: 280, passwordMinLength: 8, canSignIn: true },
  read: async () => ({ results: ["Ann.B", "ann"].map((screen_name) => ({ screen_name, name: "" })) }),
  hasCookie: ({ headers: { cookie } }) => cookie !== undefined,
});
const folder = join(import.meta.dirname, "../../gateway/site/page");
const entries = readdirSync(join(folder, "public"), { recursive: true, encoding: "utf8" });
const names = entries.filter((name) => name.includes("."));
const libraries = ["lib/preact.js", "lib/hooks.js", "lib/htm.js"];
const pictures = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../services/local/sample/pictures.json"), "utf8"),
);

Files.after(() => app.close());

Files("serves every file of the folder with its type, an entity tag and the content security policy", async () => {
  assert.ok(names.includes("index.html") && names.length > 30);
  for (const name of [...names, ...libraries]) {
    const reply = await app.inject({ url: name === "index.html" ? "/" : `/page/${name}` });
    assert.is(reply.statusCode, 200, name);
    assert.is(reply.headers["content-type"], types[name.split(".").at(-1) ?? ""], name);
    assert.is(reply.headers["cache-control"], "no-cache");
    assert.match(String(reply.headers.etag), /^"[\w-]{22}"$/);
    assert.match(String(reply.headers["content-security-policy"]), /^default-src 'none'; script-src 'self';/);
    assert.not.match(String(reply.headers["content-security-policy"]), /unsafe|\*/);
  }
});

Files("lets browsers store the files that the page names until they change, and only these", async () => {
  const { body } = await app.inject({ url: "/" });
  const paths = Array.from(body.matchAll(/(?:href|src)="(\/page\/[^"]+)"/g), ([, path = ""]) => path);
  assert.ok(paths.length > 50);
  const [, version = ""] = /^\/page\/([0-9a-f]{16})\//.exec(paths[0] ?? "") ?? [];
  for (const path of paths) {
    assert.ok(path.startsWith(`/page/${version}/`), path);
    const reply = await app.inject({ url: path });
    assert.equal([reply.statusCode, reply.headers.vary], [200, "Origin"], path);
    assert.is(reply.headers["cache-control"], "public, max-age=31536000, immutable", path);
  }
  // During a rolling restart a page may name the version of another release.
  const other = await app.inject({ url: `/page/${"0".repeat(16)}/main.js` });
  assert.equal([other.statusCode, other.headers["cache-control"]], [200, "no-cache"]);
  for (const url of [`/page/${version}/nope.js`, `/page/${version}/`, `/page/${version}/index.html`])
    assert.is((await app.inject({ url })).statusCode, 404, url);
});

Files("has only relative imports, so that a module and what it imports have one version", async () => {
  const modules = [...names, ...libraries].filter((name) => name.endsWith(".js"));
  for (const name of modules) {
    const { body } = await app.inject({ url: `/page/${name}` });
    for (const [, from = ""] of body.matchAll(/(?:\bfrom|^import|\bimport\()\s*"([^"]+)"/gm))
      assert.match(from, /^\.\.?\//, name);
  }
});

Files("serves the pictures of the sample data", async () => {
  const names = Object.keys(pictures);
  assert.ok(names.length > 60);
  for (const name of names) {
    const reply = await app.inject({ url: `/pictures/${name}` });
    assert.equal([reply.statusCode, reply.headers["content-type"]], [200, "image/svg+xml"], name);
    assert.match(reply.body, /^<svg [^]*<\/svg>$/);
  }
});

Files("answers HEAD with the same headers and no body, and 304 to a known entity tag", async () => {
  const whole = await app.inject({ url: "/" });
  // Over a socket, since Node omits the body there.
  const head = await fetch(await app.listen({ port: 0, host: "127.0.0.1" }), { method: "HEAD" });
  assert.equal([head.status, await head.text()], [200, ""]);
  assert.is(head.headers.get("etag"), whole.headers.etag);
  const again = await app.inject({ url: "/", headers: { "if-none-match": String(whole.headers.etag) } });
  assert.is(again.statusCode, 304);
  assert.is(again.body, "");
});

Files("answers 404 to paths outside the folder", async () => {
  for (const url of ["/page/", "/page/nope.js", "/page/..%2fpage-routes.ts", "/page/../page-routes.ts"]) {
    assert.is((await app.inject({ url })).statusCode, 404, url);
  }
});

Files("redirects browsers from a bare user name to the user, but not from paths of operations", async () => {
  const ask = async (url: string, accept: string, method: "GET" | "POST" = "GET") => {
    const { statusCode, headers } = await app.inject({ method, url, headers: { accept } });
    return [statusCode, headers.location];
  };
  const page = "text/html,application/xhtml+xml,*/*;q=0.8";
  assert.equal(await ask("/Ann.B?x=1", page), [302, "/@Ann.B"]);
  assert.equal(await ask("/ann", "application/json"), [404, undefined]);
  for (const url of ["/social", "/Timelines", "/JSON", "/api", "/a:b", "/-a", "/ann/bob"])
    assert.is((await ask(url, page))[0], 404, url);
  for (const url of ["/@ann", "/%40ann", "/@ann/following", "/sign-in", "/settings/blocks", "/search?q=a", "/mentions"])
    assert.is((await ask(url, "*/*"))[0], 200, url);
});

Files("has no inline script, style or handler, and no other host", async () => {
  const { body } = await app.inject({ url: "/" });
  assert.not.match(body, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/i);
});

Files("has icons, a manifest and rules for robots at the addresses where they are looked for", async () => {
  for (const [url, type, begins] of [
    ["/favicon.ico", "image/x-icon", "\0\0\u0001\0"],
    ["/page/favicon.svg", "image/svg+xml", "<svg"],
    ["/page/manifest.webmanifest", "application/manifest+json", "{"],
    ["/robots.txt", "text/plain; charset=utf-8", "User-agent: *\nDisallow: /settings\n"],
  ] as const) {
    const reply = await app.inject({ url, headers: { accept: "text/html" } });
    assert.equal([reply.statusCode, reply.headers["content-type"]], [200, type], url);
    assert.ok(reply.rawPayload.toString("latin1").startsWith(begins), url);
  }
  const { body } = await app.inject({ url: "/" });
  const links = body
    .match(/<link rel="(icon|manifest)" href="([^"]*)"/g)
    ?.map((link) => link.replace(/[0-9a-f]{16}/, "…"));
  assert.equal(links, [
    '<link rel="icon" href="/favicon.ico"',
    '<link rel="icon" href="/page/…/favicon.svg"',
    '<link rel="manifest" href="/page/…/manifest.webmanifest"',
  ]);
});

Files("tells the page whether there is a cookie that no script can read", async () => {
  const ask = async (headers: Record<string, string>) => (await app.inject({ url: "/", headers })).body;
  assert.is((await ask({})).includes("data-has-cookie"), false);
  assert.match(await ask({ cookie: "ss-id=secret" }), '<body data-has-cookie="true"');
  assert.is((await ask({ cookie: "ss-id=secret" })).includes("secret"), false);
});

Files.run();

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};
