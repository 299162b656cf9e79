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

const hosts = "a.de a.museum a.COM a.xn--p1ai a.рф a.РФ a.みんな a.嘉里大酒店 a.vermögensberatung";
/** What is found in a text, with its mark; the marks are those of the text. */
const cases: [what: string, text: string, found: string][] = [
  ["never overlap: the first one counts", "http://a.com/#b/@c", "http://a.com/#b/@c"],
  ["never overlap: a mention in a path", "a.com/@ann #b", "a.com/@ann #b"],
  ["never overlap: a host after a hashtag", "#日本example.com", "#日本example"],
  ["never overlap: a name like a host", "@ann.example.com", "@ann.example.com"],
  ["mention names with dots and hyphens", "@ann.lee @bob-2 @_x.-y @0", "@ann.lee @bob-2 @_x.-y @0"],
  ["mention names between other letters", "の@ann.leeに", "@ann.lee"],
  ["end a name before dots and hyphens at its end", "@ann. @bob... @eve- @dan.- @joe--", "@ann @bob @eve @dan @joe"],
  ["end a name before another mention", "@ann-@bob.@eve.", "@ann @bob @eve"],
  ["mention no invalid names", "@.ann @-ann @é @ @-", ""],
  ["mention names of 36 characters", `@${"a".repeat(36)} @${"b".repeat(36)}.`, `@${"a".repeat(36)} @${"b".repeat(36)}`],
  ["mention no longer names", `@${"a".repeat(37)} @${"a.".repeat(18)}b`, ""],
  ["are none in e-mail addresses", "ann@example.com ann.lee@example.com a@b @ann@example.com @ann.lee@example.com", ""],
  ["are none in URLs with users", "ann.com@example.com name.xn--p1ai@example.com http://ann@example.com/", ""],
  ["are none in other URLs", "@http://a.com/ @ann.x://a.com", ""],
  ["mention after RT only whole words", "RT@ann rt@bob art@eve x-rt@dan", "@ann @bob"],
  ["mention the user of a list, not the list", "@ann/friends", "@ann"],
  ["have no cashtags", "$ROOST $TVI.CA", ""],
  ["have hashtags with marks and digits of any script", "#cafe\u0301 #٣a #𝟘x #12 #٣ #_ #・", "#cafe\u0301 #٣a #𝟘x"],
  ["have hashtags at the beginning of words", "#️⃣ #\ufe0fa a#b &#39; #a#b ##c", "#c"],
  ["have bare hosts of Latin words", "École.com my_shop.example.com my_shop.com", "École.com my_shop.example.com"],
  ["have bare hosts as whole words", "-a.com 日本-a.com _a.com ..a.com a..com a-.com x/a.com", ""],
  ["have a bare host after other scripts", `${"日".repeat(500)}a.com`, "a.com"],
  ["have links between quotes", '"a.com" `b.com` "http://c.com"', "a.com b.com http://c.com"],
  ["end a host before a quote", 'http://a.com"b.com http://c.com`d.com', "http://a.com b.com http://c.com d.com"],
  ["end a host before a full-width mark", "http://a.com😀＃b、c.com", "http://a.com #b c.com"],
  ["skip what resembles a link, with its path", "x/a.com/b,c.com $a.com/b,c.com -a.com?b=c.com", ""],
  ["skip a link within a word", "xhttp://a.com/b,c.com c.com", "c.com"],
  ["have labels of 63 characters", `http://${"a".repeat(63)}.com`, `http://${"a".repeat(63)}.com`],
  ["have no longer labels", `http://${"a".repeat(64)}.com`, ""],
  // In DNS such a host has "xn--" and at least one letter for each character.
  ["have hosts of other scripts", `http://${"日".repeat(10)}.com`, `http://${"日".repeat(10)}.com`],
  ["have no host that is too long for DNS", `http://${"日".repeat(60)}.com http://xn--日本.com`, ""],
  // Soft hyphens are dropped in DNS, but count here.
  ["count soft hyphens of a host", `http://a${"\u00ad".repeat(130)}b.com`, ""],
  [
    "end a path before punctuation that ends the sentence",
    "a.com/b. a.com/b?! a.com/(b) a.com/(b a.com/b) a.com/,(b)",
    "a.com/b a.com/b a.com/(b) a.com/ a.com/b a.com/",
  ],
  [
    "end a path with pairs of brackets",
    "a.com/b() a.com/b(()) a.com/b(c()) a.com/b((c))",
    "a.com/b a.com/b a.com/b a.com/b((c))",
  ],
  [
    "have ports and queries after a path, or with a scheme",
    "a.com:80 a.com:80/b a.com?b a.com/?b=c. http://a.com:80 http://a.com?b",
    "a.com a.com:80/b a.com a.com/?b=c http://a.com:80 http://a.com?b",
  ],
  ["have top-level domains of every kind, in any case", hosts, hosts],
  ["have no others", "a.txt a.communit a.c a.xn-- a.みん", ""],
];
for (const [what, text, expected] of cases) {
  Entities(what, () => assert.equal(found(text), expected.split(" ").filter(Boolean), text));
}

Entities("have no link of more than 4,096 code points", () => {
  const longest = `http://a.com/${"b".repeat(4096 - 13)}`;
  assert.equal(found(longest), [longest]);
  assert.equal(found(`${longest}b`), []);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(7)}`).length, 1);
  assert.equal(found(`${longest.slice("http://".length)}${"b".repeat(8)}`), []);
});

Entities("expand links with http when there is no scheme", () => {
  assert.is(expandUrl("https://a.com/b"), "https://a.com/b");
  assert.is(expandUrl("HTTP://a.com"), "HTTP://a.com");
  assert.is(expandUrl("a.com/http://b.com"), "http://a.com/http://b.com");
});

Entities("display links without scheme and www, and with 16 characters of the path", () => {
  const smiles = (count: number) => `example.com/${"😀".repeat(count)}`;
  for (const [url, shown] of [
    ["http://www.example.com/", "example.com"],
    ["HTTPS://WWW.Example.com/a/", "Example.com/a/"],
    ["example.com/www.b", "example.com/www.b"],
    ["http://example.com/5678901234567890", "example.com/56789012345678…"],
    ["http://example.com/345678901234567", "example.com/345678901234567"],
    ["http://example.com?234567890123456", "example.com?234567890123456"],
    ["http://example.com?2345678901234567", "example.com?23456789012345…"],
    [`http://${smiles(15)}`, smiles(15)],
    [`http://${smiles(16)}`, `${smiles(14)}…`],
  ] as const)
    assert.is(displayUrl(url), shown, url);
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
  const most = mostLooks * (start.length + unit.length * repeats);
  assert.ok(once <= most, `${JSON.stringify(start + unit)} repeated: ${once}`);
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
  ..."😀 👨‍👩‍👧‍👦 👩🏽‍🚀 👍 👍🏽 🇩🇰 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ #️⃣ ❤️ ✌🏾 🏳️‍🌈".split(" "),
  ..."\u200d \u200b \u0301 \u1100\u1161 \u10ff \u1100 \u2000 \u200e \u2010 \u2027 \u2032 \u2038".split(" "),
  ..." http://example.com/path https://t.co/abc123 example.com http://例え.jp/パス @ann #tag".split(" "),
];

const glued = pieces.filter((piece) => !/\w\.\w|http|@|#|\u200d|\u0301/.test(piece));
const spaces = [" ", " ", "\n"];
for (const [what, texts] of [
  // Where entities begin and end is tested elsewhere.
  ["random texts", fc.array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...spaces)), { maxLength: 30 })],
  ["texts without spaces and links", fc.array(fc.constantFrom(...glued), { maxLength: 40 })],
] as const) {
  Weights(`are those of twitter-text for ${what}`, () => {
    fc.assert(
      fc.property(texts, (parts: readonly (string | readonly string[])[]) => {
        const text = parts.flat().join("");
        const expected = (twitterText.parseTweet(text) as { weightedLength: number }).weightedLength;
        assert.is(weightedLength(text), expected, JSON.stringify(text));
      }),
      { seed: 20080827, numRuns: 4_000 },
    );
  });
}

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
