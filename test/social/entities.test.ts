import { suite } from "uvu";
import * as assert from "uvu/assert";
import { expandUrl } from "../../services/social/domain/compose-entities.ts";
import { displayUrl } from "../../services/social/domain/entities/display-url.ts";
import { findEntities } from "../../services/social/domain/entities/find-entities.ts";

const Entities = suite("social: entities of a text");

Entities("are counted in code points, marks included", () => {
  assert.equal(findEntities("😀 @ann 𠀡😀 #𠀡字 😀 example.com/a ＠bob"), {
    urls: [{ start: 16, end: 29, url: "example.com/a" }],
    mentions: [
      { start: 2, end: 6, screenName: "ann" },
      { start: 30, end: 34, screenName: "bob" },
    ],
    hashtags: [{ start: 10, end: 13, text: "𠀡字" }],
  });
});

Entities("of a text without any are three empty lists", () => {
  for (const text of ["", " ", "plain", "@", "#", "http://", "@ # .", "\ud800"]) {
    assert.equal(findEntities(text), { urls: [], mentions: [], hashtags: [] }, text);
  }
});

Entities("never overlap: the earlier one counts", () => {
  assert.equal(found("http://a.com/#b/@c"), ["http://a.com/#b/@c"]);
  assert.equal(found("a.com/@ann #b"), ["a.com/@ann", "#b"]);
  assert.equal(found("#日本example.com"), ["#日本example"]);
  assert.equal(found("@ann.example.com"), ["@ann.example.com"]);
});

Entities("name users with dots and hyphens", () => {
  assert.equal(found("@ann.lee @bob-2 @_x.-y @0"), ["@ann.lee", "@bob-2", "@_x.-y", "@0"]);
  assert.equal(found("の@ann.leeに"), ["@ann.lee"]);
});

Entities("leave dots and hyphens at the end of a name to the sentence", () => {
  assert.equal(found("@ann. @bob... @eve- @dan.- @joe--"), ["@ann", "@bob", "@eve", "@dan", "@joe"]);
  assert.equal(found("@ann-@bob.@eve."), ["@ann", "@bob", "@eve"]);
});

Entities("mention no user when the name is no screen name", () => {
  assert.equal(found("@.ann @-ann @é @ @-"), []);
  assert.equal(found(`@${"a".repeat(36)} @${"b".repeat(36)}.`), [`@${"a".repeat(36)}`, `@${"b".repeat(36)}`]);
  assert.equal(found(`@${"a".repeat(37)} @${"a.".repeat(18)}b`), []);
});

Entities("are not made of e-mail addresses and their like", () => {
  assert.equal(found("ann@example.com ann.lee@example.com a@b @ann@example.com @ann.lee@example.com"), []);
  assert.equal(found("ann.com@example.com name.xn--p1ai@example.com http://ann@example.com/"), []);
  assert.equal(found("@http://a.com/ @ann.x://a.com"), []);
  assert.equal(found("RT@ann rt@bob art@eve x-rt@dan"), ["@ann", "@bob"]);
});

Entities("mention the user of a list, and no list", () => {
  assert.equal(found("@ann/friends"), ["@ann"]);
});

Entities("hold no cashtags", () => {
  assert.equal(found("$ROOST $TVI.CA"), []);
});

Entities("hold hashtags with marks and digits of any script, but none without a letter", () => {
  assert.equal(found("#cafe\u0301 #٣a #𝟘x #12 #٣ #_ #・"), ["#cafe\u0301", "#٣a", "#𝟘x"]);
  assert.equal(found("#️⃣ #\ufe0fa a#b &#39; #a#b ##c"), ["#c"]);
});

Entities("take a bare host as a whole Latin word or not at all", () => {
  assert.equal(found("École.com my_shop.example.com my_shop.com"), ["École.com", "my_shop.example.com"]);
  assert.equal(found("-a.com 日本-a.com _a.com ..a.com a..com a-.com x/a.com"), []);
  assert.equal(found(`${"日".repeat(500)}a.com`), ["a.com"]);
  assert.equal(found('"a.com" `b.com` "http://c.com"'), ["a.com", "b.com", "http://c.com"]);
});

Entities("end a host before a quote or a full-width mark", () => {
  assert.equal(found('http://a.com"b.com http://c.com`d.com'), ["http://a.com", "b.com", "http://c.com", "d.com"]);
  assert.equal(found("http://a.com😀＃b、c.com"), ["http://a.com", "#b", "c.com"]);
});

Entities("pass over what only looks like a link, path and all", () => {
  assert.equal(found("x/a.com/b,c.com $a.com/b,c.com -a.com?b=c.com"), []);
  assert.equal(found("xhttp://a.com/b,c.com c.com"), ["c.com"]);
});

Entities("hold no host that the domain name system cannot spell", () => {
  assert.equal(found(`http://${"a".repeat(63)}.com`), [`http://${"a".repeat(63)}.com`]);
  assert.equal(found(`http://${"a".repeat(64)}.com`), []);
  // "xn--" and one letter at least for each of them.
  assert.equal(found(`http://${"日".repeat(10)}.com`), [`http://${"日".repeat(10)}.com`]);
  assert.equal(found(`http://${"日".repeat(60)}.com http://xn--日本.com`), []);
  // Soft hyphens are not encoded, but who needs so many?
  assert.equal(found(`http://a${"\u00ad".repeat(130)}b.com`), []);
});

Entities("hold no link of more than 4,096 code points", () => {
  const longest = `http://a.com/${"b".repeat(4096 - 13)}`;
  assert.equal(found(longest), [longest]);
  assert.equal(found(`${longest}b`), []);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(7)}`).length, 1);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(8)}`), []);
});

Entities("end a path before the punctuation of the sentence", () => {
  assert.equal(
    found("a.com/b. a.com/b?! a.com/(b) a.com/(b a.com/b) a.com/,(b)"),
    "a.com/b a.com/b a.com/(b) a.com/ a.com/b a.com/".split(" "),
  );
  assert.equal(found("a.com/b() a.com/b(()) a.com/b(c()) a.com/b((c))"), [
    "a.com/b",
    "a.com/b",
    "a.com/b",
    "a.com/b((c))",
  ]);
  assert.equal(
    found("a.com:80 a.com:80/b a.com?b a.com/?b=c. http://a.com:80 http://a.com?b"),
    "a.com a.com:80/b a.com a.com/?b=c http://a.com:80 http://a.com?b".split(" "),
  );
});

Entities("know top-level domains of every kind, in any case", () => {
  const hosts = "a.de a.museum a.COM a.xn--p1ai a.рф a.РФ a.みんな a.嘉里大酒店 a.vermögensberatung";
  assert.equal(found(hosts), hosts.split(" "));
  assert.equal(found("a.txt a.communit a.c a.xn-- a.みん"), []);
});

Entities("lead where the text says, by http when it does not say how", () => {
  assert.is(expandUrl("https://a.com/b"), "https://a.com/b");
  assert.is(expandUrl("HTTP://a.com"), "HTTP://a.com");
  assert.is(expandUrl("a.com/http://b.com"), "http://a.com/http://b.com");
});

Entities("show links without scheme and www, and 16 characters of a path at most", () => {
  assert.is(displayUrl("http://www.example.com/"), "example.com");
  assert.is(displayUrl("HTTPS://WWW.Example.com/a/"), "Example.com/a/");
  assert.is(displayUrl("example.com/www.b"), "example.com/www.b");
  assert.is(displayUrl("http://example.com/5678901234567890"), "example.com/56789012345678…");
  assert.is(displayUrl("http://example.com/345678901234567"), "example.com/345678901234567");
  assert.is(displayUrl("http://example.com?234567890123456"), "example.com?234567890123456");
  assert.is(displayUrl("http://example.com?2345678901234567"), "example.com?23456789012345…");
  assert.is(displayUrl(`http://example.com/${"😀".repeat(15)}`), `example.com/${"😀".repeat(15)}`);
  assert.is(displayUrl(`http://example.com/${"😀".repeat(16)}`), `example.com/${"😀".repeat(14)}…`);
});

Entities.run();

/** What was found, with its mark, in the order of the text; each has to be where its indices say. */
function found(text: string): string[] {
  const { urls, mentions, hashtags } = findEntities(text);
  const points = [...text];
  const all = [
    ...urls.map((url) => ({ ...url, named: url.url })),
    ...mentions.map((mention) => ({ ...mention, named: `@${mention.screenName}` })),
    ...hashtags.map((hashtag) => ({ ...hashtag, named: `#${hashtag.text}` })),
  ].sort((a, b) => a.start - b.start);
  for (const { start, end, named } of all) assert.is(points.slice(start, end).join("").replace("＃", "#"), named);
  return all.map(({ named }) => named);
}
