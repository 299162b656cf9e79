import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { weightedLength } from "../../services/social/domain/weighted-text.ts";
import { suite } from "../support/suite.ts";
import { bundleWeightedText, weightedTextFile } from "./weighted-text-file.ts";

const Texts = suite("page: texts");
const { splitText } = await script("rules/split-text.js");
const { sourceName } = await script("rules/source-name.js");
const { screenNames, readRoute } = await script("rules/route.js");
const { errorText, sortErrors } = await script("rules/error-text.js");
const { relativeTime } = await script("rules/dates.js");

Texts("splits at entities by code points, with both spellings of indices", () => {
  const parts = splitText("👩🏽‍🍳 @ann likes #塩", {
    user_mentions: [{ screen_name: "ann", indices: [5, 9] }],
    hashtags: [{ text: "塩", indicies: [16, 18] }],
  });
  const shown = parts.map(({ text, kind }: { text: string; kind?: string }) => `${text}|${kind}`);
  assert.equal(shown, ["👩🏽‍🍳 |undefined", "@ann|mention", " likes |undefined", "#塩|hashtag"]);
});

Texts("shows the text of a source", () => {
  assert.is(sourceName('<a href="https://x.example" rel="nofollow">Salt &amp; Rope</a>'), "Salt & Rope");
  assert.is(sourceName("web"), "web");
  assert.is(sourceName("<img src=x onerror=alert(1)>"), "");
  assert.is(sourceName("<<b>script>alert(1)"), "script>alert(1)");
});

Texts("reads names with commas, spaces and @ around them, each once", () => {
  assert.equal(screenNames(" @ann, bob\tann,, ＠caz "), ["ann", "bob", "caz"]);
  assert.equal(screenNames(" , @ "), []);
});

Texts("accepts an id in the address only as plain digits", () => {
  assert.is(placeOf("/@a?maxId=12").maxId, "12");
  for (const bad of ["", "x", "-1", "01", "1.5", "1e3", "12345678901234567"]) {
    assert.is(placeOf(`/@a?maxId=${bad}`).maxId, undefined, bad);
  }
});

Texts("reads each address as its view, and others as not found", () => {
  const views = {
    "/": "home",
    "/search?q=a": "search",
    "/everyone": "everyone",
    "/mentions": "mentions",
    "/favourites": "favourites",
    "/@ann": "person",
    "/%40ann/": "person",
    "/@settings": "person",
    "/?user=ann": "person",
    "/@ann/status/7": "status",
    "/@ann/status/x": "not-found",
    "/@ann/followers": "followers",
    "/@ann/status/7/more": "not-found",
    "/settings/blocks": "settings/blocks",
    "/settings/nope": "not-found",
    "/nope": "not-found",
    "/%": "not-found",
  };
  for (const [address, view] of Object.entries(views)) assert.is(placeOf(address).view, view, address);
});

Texts("goes only to paths of this host after a sign-in", () => {
  assert.is(placeOf("/sign-in?next=/@ann?maxId=1").next, "/@ann?maxId=1");
  for (const next of ["//evil.example", "/\\\\evil.example", "https://evil.example", "javascript:1", "x", "/a b"]) {
    assert.is(placeOf(`/sign-in?next=${encodeURIComponent(next)}`).next, undefined, next);
  }
});

Texts("writes how long ago a time was, and after a week its date", () => {
  const now = new Date(2026, 10, 29, 12, 0, 0);
  const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now);
  const times = [-30, 0, 59, 60, 3599, 3600, 86_399, 86_400, 7 * 86_400 - 1].map(ago);
  assert.is(times.join(), "now,now,now,1 min,59 min,1 h,23 h,1 d,6 d");
  assert.equal([7 * 86_400, 365 * 86_400, -2 * 86_400].map(ago), ["22 Nov", "29 Nov 2025", "1 Dec"]);
});

Texts("measures drafts by the service's rule", async () => {
  assert.is(readFileSync(weightedTextFile, "utf8"), await bundleWeightedText(), "run npm run weighted-text");
  const page = await script("generated/weighted-text.js");
  const words = [
    "a",
    "塩",
    "👩🏽‍🍳",
    "https://例え.jp/x",
    "see example.com/y.",
    "ab.cd",
    "é",
    " ",
    "@ann",
    "#tag",
    "xn--a.de",
  ];
  for (const first of words) {
    for (const second of words) {
      for (const text of [first + second, `${first} ${second}`])
        assert.is(page.weightedLength(text), weightedLength(text), text);
    }
  }
});

Texts("writes errors with the label of their field", () => {
  const fields = [{ fieldName: "userName", message: "'User Name' should not be empty." }];
  const labelOf = (name: string) => (name === "userName" ? "User name or e-mail" : undefined);
  const placed = sortErrors({ status: 400, message: "x", fields }, labelOf);
  assert.equal(placed, { whole: "", errors: { userName: "User name or e-mail should not be empty." } });
  assert.is(sortErrors({ status: 400, message: "x", fields }, () => undefined).whole, fields[0]?.message);
  assert.match(errorText({ status: 429, message: "x", waitSeconds: 600, fields: [] }), "10 minutes");
});

Texts.run();

function placeOf(address: string) {
  return readRoute(new URL(address, "http://roost.example"));
}

// The page's modules as a browser loads them; their types are comments.
function script(name: string): Promise<any> {
  return import(new URL(`../../gateway/site/page/public/${name}`, import.meta.url).href);
}
