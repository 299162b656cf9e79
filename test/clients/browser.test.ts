import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { Running } from "../../services/platform/lifecycle.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { launch } from "../support/launch.ts";
import { listen, stopListening } from "../support/listen.ts";
import { register } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

const Pages = suite("pages of another origin, in Chromium");
const browser = (await joinBrowser()) as Browser;
const test = browser ? Pages : Pages.skip;

let system: TestSystem;
/** A gateway that allows requests of the other origin. */
let gateway: Running;
let page: Page;

if (test === Pages) {
  Pages.after(async () => {
    await leaveBrowser();
    await stopListening(site);
    await gateway.close();
  });
  system = useSharedSystem(Pages);
  Pages.before(async () => {
    const origin = `http://127.0.0.1:${await listen(site)}`;
    const services = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
    gateway = await launch("gateway", { ...services, CORS_ORIGINS: origin });
    await register(system, "walter", { displayName: "</script> \u2028" });
    page = await browser.newPage();
    await page.goto(origin);
  });
}

test("jQuery reads a lookup by JSONP whose text could end a script", async () => {
  const names = await inPage(`$.ajax({ url: "${gateway.url}/social/walter", dataType: "jsonp" })
    .then((data) => data.results.map((user) => [user.screen_name, user.name]))`);
  assert.equal(names, [["walter", "</script> \u2028"]]);
});

test("jQuery sends lists, also inside of others", async () => {
  const names = await inPage(`Promise.all([
    { data: { screenNames: ["unknown", "walter"] } },
    { data: { screenNames: ["unknown", "walter"] }, traditional: true },
    { data: { screenNames: [["unknown"], ["walter"]] } },
    { data: { screenNames: ["walter"] }, method: "POST" },
  ].map((given) => $.ajax({ url: "${gateway.url}/api/SocialUsers", ...given })
    .then((data) => data.results.map((user) => user.screen_name).join())))`);
  assert.equal(names, ["walter", "walter", "walter", "walter"]);
});

test("jQuery reads errors by JSONP", async () => {
  const codes = await inPage(`Promise.all([
    $.ajax({ url: "${gateway.url}/social/unknown/timelines", dataType: "jsonp" }),
    $.ajax({ url: "${gateway.url}/register", dataType: "jsonp", data: { userName: "a b", password: "correct horse" } }),
    $.ajax({ url: "${gateway.url}/nowhere", dataType: "jsonp" }),
  ]).then((all) => all.map((data) => data.responseStatus.errorCode))`);
  assert.equal(codes, ["NotFound", "RegularExpression", "NotFound"]);
});

test("jQuery registers by JSONP without a session cookie", async () => {
  const answer = await inPage(`$.ajax({ url: "${gateway.url}/register", dataType: "jsonp",
    data: { userName: "jsonp1", password: "correct horse", autoLogin: true } }).then((data) => data.userName)`);
  assert.is(answer, "jsonp1");
  assert.equal(await page.context().cookies(gateway.url), []);
});

test("a script element calls the page's callback", async () => {
  const user = await inPage(`new Promise((resolve, reject) => {
    window.site = { shown: [(data) => resolve(data.results[0].screen_name)] };
    const script = document.createElement("script");
    script.src = "${gateway.url}/social/walter?callback=site.shown%5B0%5D";
    script.onerror = () => reject(new Error("the script did not load"));
    document.head.append(script);
  })`);
  assert.is(user, "walter");
});

test("fetch with credentials works across origins, with preflights and error replies", async () => {
  const seen = await inPage(`(async () => {
    const init = { method: "PUT", credentials: "include", headers: { "content-type": "application/json", "x-any": "1" } };
    const send = (path, body) => fetch("${gateway.url}" + path, { ...init, body: JSON.stringify(body) });
    const before = await (await send("/api/SocialUsers", { screenNames: ["walter"] })).json();
    const registered = await send("/register", { userName: "cors1", password: "correct horse", autoLogin: true });
    const after = await send("/api/SocialUsers", { screenNames: ["walter"] });
    const failed = await send("/register", {});
    return {
      before: before.results[0].following ?? "unknown",
      registered: registered.status,
      tag: after.headers.get("etag") !== null,
      after: (await after.json()).results[0].following,
      failed: [failed.status, (await failed.json()).responseStatus.errors.map((error) => error.fieldName)],
    };
  })()`);
  assert.equal(seen, {
    before: "unknown",
    registered: 200,
    tag: true,
    after: false,
    failed: [400, ["userName", "email", "password"]],
  });
});

Pages.run();

function inPage(script: string): Promise<unknown> {
  return page.evaluate(script);
}

const require = createRequire(import.meta.url);
const jquery = readFileSync(require.resolve("jquery"));

/** Another site: one page with jQuery. */
const site = createServer((request, response) => {
  const isScript = request.url === "/jquery.js";
  response.writeHead(200, { "content-type": isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8" });
  response.end(isScript ? jquery : '<!doctype html><title>Elsewhere</title><script src="/jquery.js"></script>');
});
