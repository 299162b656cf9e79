import { suite } from "uvu";
import * as assert from "uvu/assert";

const Texts = suite("page: texts");
const { splitText } = await script("split-text.js");
const { sourceName, unescaperOf } = await script("plain-text.js");
const { screenNames, readPlace } = await script("place.js");
const { profileColour, inkOn } = await script("colour.js");

Texts("cuts at entities by code points, with both spellings of indices", () => {
  const parts = splitText("👩🏽‍🍳 @ann likes #塩", {
    user_mentions: [{ screen_name: "ann", indices: [5, 9] }],
    hashtags: [{ text: "塩", indicies: [16, 18] }],
  });
  assert.equal(
    parts.map(({ text, kind }: { text: string; kind?: string }) => [text, kind]),
    [
      ["👩🏽‍🍳 ", undefined],
      ["@ann", "mention"],
      [" likes ", undefined],
      ["#塩", "hashtag"],
    ],
  );
});

Texts("loses no word to entities that overlap, run backwards, or lie outside", () => {
  const urls = [[0, 3], [2, 5], [9, 4], [-1, 2], [4, 99], [Number.NaN, 2], undefined, [1]].map((indices) => ({
    indices,
  }));
  const parts = splitText("abcdefgh", { urls });
  assert.is(parts.map(({ text }: { text: string }) => text).join(""), "abcdefgh");
  assert.is(parts.length, 2);
});

Texts("undoes the escapes of Twitter once, and only in a text that was escaped", () => {
  const show = (text: string) => unescaperOf(text)(text);
  assert.is(show("fish &amp; chips &lt;3"), "fish & chips <3");
  assert.is(show("&amp;lt;"), "&lt;");
  assert.is(show("a < b &amp; c"), "a < b &amp; c");
  assert.is(show("R&D, spelled &amp;"), "R&D, spelled &amp;");
  assert.is(show("&copy; &amp;"), "&copy; &amp;");
});

Texts("shows the text of a source", () => {
  assert.is(sourceName('<a href="https://x.example" rel="nofollow">Salt &amp; Rope</a>'), "Salt & Rope");
  assert.is(sourceName("web"), "web");
  assert.is(sourceName("<img src=x onerror=alert(1)>"), "");
  assert.is(sourceName("<<b>script>alert(1)"), "script>alert(1)");
});

Texts("reads names with commas, blanks and @ around them, each once", () => {
  assert.equal(screenNames(" @ann, bob\tann,, ＠caz "), ["ann", "bob", "caz"]);
  assert.equal(screenNames(" , @ "), []);
});

Texts("takes an id in the address only when it is plain digits", () => {
  assert.is(readPlace("?user=a&maxId=12").maxId, "12");
  for (const bad of ["", "x", "-1", "01", "1.5", "1e3", "12345678901234567"]) {
    assert.is(readPlace(`?user=a&maxId=${bad}`).maxId, undefined, bad);
  }
});

Texts("takes six hex digits for a colour and nothing else", () => {
  assert.is(profileColour("1b5E83"), "#1b5E83");
  for (const bad of ["", "fff", "1b5e83;", "red", "url(x)", "1b5e8g", undefined, 123456]) {
    assert.is(profileColour(bad), undefined);
  }
});

Texts("writes in the ink that is readable on a colour", () => {
  assert.equal(["#000000", "#1b5e83", "#ffffff", "#ffee00"].map(inkOn), ["#ffffff", "#ffffff", "#000000", "#000000"]);
});

Texts.run();

// The page's modules carry their types as comments for readers; here they are what a browser loads.
function script(name: string): Promise<any> {
  return import(new URL(`../../gateway/site/page/public/${name}`, import.meta.url).href);
}
