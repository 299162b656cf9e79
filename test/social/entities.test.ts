import fc from "fast-check";
// @ts-expect-error: twitter-text comes without types.
import twitterText from "twitter-text";
import * as assert from "uvu/assert";
import { displayUrl, expandUrl } from "../../services/social/domain/compose-entities.ts";
import { findEntities, findHashtags, findMentions } from "../../services/social/domain/entities/find-entities.ts";
import { findUrls } from "../../services/social/domain/entities/find-urls.ts";
import { cutToWeight, weightedLength } from "../../services/social/domain/weighted-text.ts";
import { isLong, times } from "../support/long.ts";
import { suite } from "../support/suite.ts";

const Entities = suite("social: entities of a text");

Entities("have indices in code points, with their mark", () => {
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

Entities("never overlap: the first one counts", () => {
  assert.equal(found("http://a.com/#b/@c"), ["http://a.com/#b/@c"]);
  assert.equal(found("a.com/@ann #b"), ["a.com/@ann", "#b"]);
  assert.equal(found("#日本example.com"), ["#日本example"]);
  assert.equal(found("@ann.example.com"), ["@ann.example.com"]);
});

Entities("may mention names with dots and hyphens", () => {
  assert.equal(found("@ann.lee @bob-2 @_x.-y @0"), ["@ann.lee", "@bob-2", "@_x.-y", "@0"]);
  assert.equal(found("の@ann.leeに"), ["@ann.lee"]);
});

Entities("end a mentioned name before dots and hyphens at its end", () => {
  assert.equal(found("@ann. @bob... @eve- @dan.- @joe--"), ["@ann", "@bob", "@eve", "@dan", "@joe"]);
  assert.equal(found("@ann-@bob.@eve."), ["@ann", "@bob", "@eve"]);
});

Entities("do not mention invalid screen names", () => {
  assert.equal(found("@.ann @-ann @é @ @-"), []);
  assert.equal(found(`@${"a".repeat(36)} @${"b".repeat(36)}.`), [`@${"a".repeat(36)}`, `@${"b".repeat(36)}`]);
  assert.equal(found(`@${"a".repeat(37)} @${"a.".repeat(18)}b`), []);
});

Entities("are not found in e-mail addresses and URLs with users", () => {
  assert.equal(found("ann@example.com ann.lee@example.com a@b @ann@example.com @ann.lee@example.com"), []);
  assert.equal(found("ann.com@example.com name.xn--p1ai@example.com http://ann@example.com/"), []);
  assert.equal(found("@http://a.com/ @ann.x://a.com"), []);
  assert.equal(found("RT@ann rt@bob art@eve x-rt@dan"), ["@ann", "@bob"]);
});

Entities("mention the user of a list, not the list", () => {
  assert.equal(found("@ann/friends"), ["@ann"]);
});

Entities("have no cashtags", () => {
  assert.equal(found("$ROOST $TVI.CA"), []);
});

Entities("have hashtags with marks and digits of any script, but with a letter", () => {
  assert.equal(found("#cafe\u0301 #٣a #𝟘x #12 #٣ #_ #・"), ["#cafe\u0301", "#٣a", "#𝟘x"]);
  assert.equal(found("#️⃣ #\ufe0fa a#b &#39; #a#b ##c"), ["#c"]);
});

Entities("accept a bare host only as a whole Latin word", () => {
  assert.equal(found("École.com my_shop.example.com my_shop.com"), ["École.com", "my_shop.example.com"]);
  assert.equal(found("-a.com 日本-a.com _a.com ..a.com a..com a-.com x/a.com"), []);
  assert.equal(found(`${"日".repeat(500)}a.com`), ["a.com"]);
  assert.equal(found('"a.com" `b.com` "http://c.com"'), ["a.com", "b.com", "http://c.com"]);
});

Entities("end a host before a quote or a full-width mark", () => {
  assert.equal(found('http://a.com"b.com http://c.com`d.com'), ["http://a.com", "b.com", "http://c.com", "d.com"]);
  assert.equal(found("http://a.com😀＃b、c.com"), ["http://a.com", "#b", "c.com"]);
});

Entities("skip what only resembles a link, with its path", () => {
  assert.equal(found("x/a.com/b,c.com $a.com/b,c.com -a.com?b=c.com"), []);
  assert.equal(found("xhttp://a.com/b,c.com c.com"), ["c.com"]);
});

Entities("have no host that is too long for DNS", () => {
  assert.equal(found(`http://${"a".repeat(63)}.com`), [`http://${"a".repeat(63)}.com`]);
  assert.equal(found(`http://${"a".repeat(64)}.com`), []);
  // In DNS such a host has "xn--" and at least one letter for each character.
  assert.equal(found(`http://${"日".repeat(10)}.com`), [`http://${"日".repeat(10)}.com`]);
  assert.equal(found(`http://${"日".repeat(60)}.com http://xn--日本.com`), []);
  // Soft hyphens are dropped in DNS, but count here.
  assert.equal(found(`http://a${"\u00ad".repeat(130)}b.com`), []);
});

Entities("have no link of more than 4,096 code points", () => {
  const longest = `http://a.com/${"b".repeat(4096 - 13)}`;
  assert.equal(found(longest), [longest]);
  assert.equal(found(`${longest}b`), []);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(7)}`).length, 1);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(8)}`), []);
});

Entities("end a path before punctuation that ends the sentence", () => {
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

Entities("accept top-level domains of every kind, in any case", () => {
  const hosts = "a.de a.museum a.COM a.xn--p1ai a.рф a.РФ a.みんな a.嘉里大酒店 a.vermögensberatung";
  assert.equal(found(hosts), hosts.split(" "));
  assert.equal(found("a.txt a.communit a.c a.xn-- a.みん"), []);
});

Entities("expand links to the URL of the text, with http when there is no scheme", () => {
  assert.is(expandUrl("https://a.com/b"), "https://a.com/b");
  assert.is(expandUrl("HTTP://a.com"), "HTTP://a.com");
  assert.is(expandUrl("a.com/http://b.com"), "http://a.com/http://b.com");
});

Entities("display links without scheme and www, and with at most 16 characters of the path", () => {
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

/** The entities found, with their marks, in the order of the text; fails when their indices are wrong. */
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

const Linear = suite("social: the cost of finding entities");

/** Each, when repeated, is the worst case of one of the scans. */
const hostileUnits = [
  "a. a.com. a-. -a. _a. xn--. xn--a. 中. 中.中国. a.みんな é. \u0301. a_b.c-d.",
  "http:// http://(((( http://a. http://中. http://a.co/( http://a.co/. http://a.co/(( http://t.co/a",
  "a.co/(b a.co/(b(c a.co/(b(c) a.co/,(b) a.co?(( a.co?(. a.co:1 -a.co/( @a.co/( (/a.co/(",
  "@ @@ @a@ @a- @a. rt@ ＠ # ## #1 #a# #️ &# #\u200d 😀# 1 a あ . - _ / ( 😀 :// h ht https:/",
]
  .flatMap((line) => line.split(" "))
  .concat(" ", "@ann ", "#a ");

Linear("is linear in the length of hostile texts, counted in characters read", () => {
  for (const unit of hostileUnits) isLinearIn(unit);
});

Linear("is linear in the length of any repetitive text", () => {
  const unit = fc.array(fc.constantFrom(...hostileUnits), { minLength: 2, maxLength: 5 }).map((some) => some.join(""));
  fc.assert(
    fc.property(unit, (text) => isLinearIn(text)),
    { seed: 20080827, numRuns: times(20, 150) },
  );
});

Linear("is linear in the length of a long repetition after a short beginning", () => {
  const starts = ["#", "@", "http://", "a.", "a.co/", "a.co/(", "a.co?", "http://a.co:", "http://xn--"];
  for (const [place, start] of starts.entries()) {
    for (const unit of hostileUnits.filter((_, index) => isLong || index % 3 === place % 3)) isLinearIn(unit, start);
  }
});

// Not measured: in quadratic time this would take hours.
Linear("is bounded for a very long text", () => {
  const length = times(2 ** 18, 2 ** 20);
  for (const unit of ["a.", "@a-", "#1", "あ.", "http://a.co/("]) {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const { urls, mentions, hashtags } = findEntities(text);
    assert.ok(urls.length + mentions.length + hashtags.length < text.length / 2);
  }
});

Linear.run();

/** A scan reads each character up to 16 times. */
const mostLooks = 20;

/** Twice the text may cost twice as much, and a little more at its ends. */
function isLinearIn(unit: string, start = ""): void {
  const repeats = Math.ceil(150 / unit.length);
  const once = charactersLookedAt(start + unit.repeat(repeats));
  const twice = charactersLookedAt(start + unit.repeat(2 * repeats));
  const atTheEnds = mostLooks * (start.length + unit.length);
  assert.ok(twice <= 2 * once + atTheEnds, `${JSON.stringify(start + unit)} repeated: ${once} became ${twice}`);
  assert.ok(
    once <= mostLooks * (start.length + unit.length * repeats),
    `${JSON.stringify(start + unit)} repeated: ${once}`,
  );
}

function charactersLookedAt(text: string): number {
  let looks = 0;
  const points = new Proxy([...text], {
    get(target, key, receiver) {
      if (typeof key === "string" && /^-?\d+$/.test(key)) looks++;
      return Reflect.get(target, key, receiver);
    },
  });
  for (const find of [findUrls, findMentions, findHashtags]) find(points);
  return looks;
}

const Weights = suite("social: weighted texts");

/** Parts of texts in which Roost and twitter-text find the same links. */
const pieces = [
  ..."a b, é ñ я ש ع ก ሀ 日 本 語 한 국 、 。 “ ” ‘ ’ – — … • · ⁂ € № ™ © ® ‼ ⁉ ∑ ♥ ☃".split(" "),
  "😀",
  "👨‍👩‍👧‍👦",
  "👩🏽‍🚀",
  "👍",
  "👍🏽",
  "🇩🇰",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "1️⃣",
  "#️⃣",
  "❤️",
  "✌🏾",
  "🏳️‍🌈",
  "\u200d",
  "\u200b",
  "\u0301",
  "\u1100\u1161",
  "\u10ff",
  "\u1100",
  "\u2000",
  "\u200e",
  "\u2010",
  "\u2027",
  "\u2032",
  "\u2038",
  ..." http://example.com/path https://t.co/abc123 example.com http://例え.jp/パス @ann #tag".split(" "),
];

Weights("are those of twitter-text for random texts", () => {
  // Spaces separate the parts, since where entities begin and end is tested elsewhere.
  const texts = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(" ", " ", "\n")), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.flat().join("");
      const expected = (twitterText.parseTweet(text) as { weightedLength: number }).weightedLength;
      assert.is(weightedLength(text), expected, JSON.stringify(text));
    }),
    { seed: 20080827, numRuns: 4_000 },
  );
});

Weights("are those of twitter-text for texts without spaces and links", () => {
  const glued = pieces.filter((piece) => !/\w\.\w|http|@|#|\u200d|\u0301/.test(piece));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...glued), { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      const expected = (twitterText.parseTweet(text) as { weightedLength: number }).weightedLength;
      assert.is(weightedLength(text), expected, JSON.stringify(text));
    }),
    { seed: 20080827, numRuns: 4_000 },
  );
});

Weights("are truncated to a maximum with an ellipsis, but not inside a link or an emoji", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 80 }),
      fc.integer({ min: 60, max: 120 }),
      (parts, most) => {
        const text = parts.join(" ");
        const cut = cutToWeight(text, most);
        assert.is(cut.truncated, weightedLength(text) > most);
        if (!cut.truncated) return assert.is(cut.text, text);
        assert.ok(weightedLength(cut.text) <= most, cut.text);
        assert.ok(weightedLength(cut.text) > most - 25, cut.text);
        assert.ok(text.normalize().startsWith(cut.text.slice(0, -1)));
        assert.ok(cut.text.endsWith("…"));
      },
    ),
    { seed: 20080827, numRuns: 2_000 },
  );
  const link = `https://example.com/${"a".repeat(40)}`;
  assert.equal(cutToWeight(`${"a".repeat(40)} ${link}`, 62), { text: `${"a".repeat(40)} …`, truncated: true });
  assert.equal(cutToWeight(`${"a".repeat(57)}👨‍👩‍👧‍👦👍🏽`, 60), { text: `${"a".repeat(57)}…`, truncated: true });
});

Weights.run();
