import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
// @ts-expect-error: twitter-text comes without types.
import twitterText from "twitter-text";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { findEntities } from "../../services/social/domain/entities/find-entities.ts";
import type { FoundEntities } from "../../services/social/domain/entities/found-entities.ts";
import { suite } from "../support/suite.ts";

type Read = (found: FoundEntities) => unknown[];
const mentions: Read = (found) => found.mentions.map(({ screenName }) => screenName);
const hashtags: Read = (found) => found.hashtags.map(({ text }) => text);
const urls: Read = (found) => found.urls.map(({ url }) => url);
const urlsWithIndices: Read = (found) => found.urls.map(({ url, start, end }) => ({ url, indices: [start, end] }));

/**
 * What each group of the file asks for, in its own form. Left out: replies, which are named by their author, cashtags, which the
 * contract does not have, and lists, which Roost does not have.
 */
const readings: Record<string, Read> = {
  mentions,
  mentions_with_indices: (found) =>
    found.mentions.map(({ screenName, start, end }) => ({ screen_name: screenName, indices: [start, end] })),
  urls,
  tco_urls_with_params: urls,
  urls_with_indices: urlsWithIndices,
  urls_with_directional_markers: urlsWithIndices,
  hashtags,
  hashtags_from_astral: hashtags,
  hashtags_with_indices: (found) =>
    found.hashtags.map(({ text, start, end }) => ({ hashtag: text, indices: [start, end] })),
};

const file = new URL("../../../shared/data/twitter-text-extract.yml", import.meta.url);
const Conformance = suite("social: entities by twitter-text's conformance suite");

if (existsSync(file)) {
  const { tests } = parse(readFileSync(file, "utf8"));
  for (const [group, read] of Object.entries(readings)) {
    for (const { description, text, expected } of tests[group])
      Conformance(`${group}: ${description}`, () => assert.equal(read(findEntities(text)), expected));
  }
} else {
  console.warn(`SKIPPED: the conformance suite of twitter-text is not at ${file.pathname}`);
  Conformance.skip("every case");
}

Conformance.run();

const Oracle = suite("social: entities as twitter-text finds them");

/** Known differences: a text with one of these is not compared. */
const decidedDifferences: [RegExp, string][] = [
  [/[@＠]\w+[.-]+\w/, "a screen name of Roost holds dots and hyphens"],
  [/[@＠]\w{21}/, "and has up to 36 characters"],
  [/[@＠]\w+\//, "Roost has no lists"],
  [/_[\w.-]*\./, "a bare host is the whole word; twitter-text cuts its first labels at their last underscore"],
  [/[._-][._-]/, "a bare word that holds this is no host; twitter-text tries each of its parts"],
  [/[@#$][\w:/.-]*\.\w/, "what looks like a link behind a mark is passed over whole; twitter-text looks into it"],
  [/[＠＃]\S*\./, "full-width marks are no letters of a host"],
  [/[#＃]\S*[\ufe0e\ufe0f][#＃]/, "a tag right behind a tag is none, but after a variation selector one may start"],
];

const pieces = {
  names: "@ ＠ # ＃ $ @ann ＠_b #tag ＃1 #2a ann user_20_characters__ RT rt: /list".split(" "),
  digits: "1 2024 tag1".split(" "),
  links: "http://example.com https://t.co/abc123 http://t.co/ t.co/z HTTP://A.TV foo.bar x.com?y=z".split(" "),
  paths: "example.co.jp/a_(b)/c http://a-b.com:8080/p?q=1#f /p ?q= (x) (( )) .html #f".split(" "),
  hosts: "www.x.org https:// http:// .com .jp .co.uk xn--p1ai . com ... a.b. x".split(" "),
  scripts: "日本語 한국 これは é ñandú پاکستان слова 𠀡 𝟘 ٣ · ・ 〃 ß".split(" "),
  emoji: ["😀", "✌️", "👨‍👩‍👧", "1⃣", "\u20e3", "\ufe0f", "\ufe0e", "\u200d", "\u200c", "\u0301"],
  signs: [..." \n,:;!?()[]'/-_&%~+=*|", " ", " ", "://"],
  blanks: [...'\u3000\u00a0\u202a\u2066\u200f\ufeff。、“"`'],
};

const words = [
  "http://日本.みんな/ http://日本example.com http://a.みんな中国 https://sub_x.a-b.com/p http://a.co/слова http://a.com-",
  "http://foo.co.jp/a_(b(c))/d http://t.co/ab?c=d http://no-tld https://ELPAÍS.com/é?é",
  "example.com www.foo.co.uk/x ELPAÍS.com twitter.みんな it.so t.co/z a.b readme.txt tar.bz2 $TEST &amp;",
  "@ann ＠bob @aliceì ann@example.com a.b@example.com @a@b #tag ＃日本語 #سیاست #1 #a1 RT@ann RT:@ann",
  "ñandú 日本語 한국 😀 ✌️ plain",
].flatMap((line) => line.split(" "));

// Each ends a word; none continues a path or query, or changes the word before it.
const gaps = [" ", " ", "\n", "\u3000", ...', |: | (|) |! |。 |、| “|”|… | \'| "|" |日本|😀'.split("|")];

const { names, signs, digits, links, paths, hosts, scripts, emoji, blanks } = pieces;

agree("on names and tags in any script, however they are glued to what is around them", {
  texts: taking([...signs, ...digits, ...scripts, ...emoji, ...blanks], names),
  cases: 4000,
});

agree("on links, names and tags in ASCII, however they are glued to what is around them", {
  texts: taking([...signs, ...digits, ...paths, ...hosts], [...names.filter(isAscii), ...links, ...hosts]),
  cases: 4000,
});

agree("on words with something between them that ends a word", { texts: taking(words, gaps), cases: 2000 });

Oracle.run();

function agree(title: string, { texts, cases }: { texts: fc.Arbitrary<string>; cases: number }): void {
  Oracle(title, () => {
    let found = 0;
    const comparable = texts.filter((text) => !decidedDifferences.some(([pattern]) => pattern.test(text)));
    fc.assert(
      fc.property(comparable, (text) => {
        const expected = byTwitterText(text);
        found += expected.length;
        assert.equal(foundEntities(text), expected);
      }),
      { seed: 20080827, numRuns: cases },
    );
    assert.ok(found > cases / 2, `only ${found} entities in ${cases} texts`);
  });
}

/** Texts composed of parts from each of the lists in turn. */
function taking(...lists: string[][]): fc.Arbitrary<string> {
  const round = fc.tuple(...lists.map((list) => fc.constantFrom(...list)));
  return fc.array(round, { minLength: 1, maxLength: 5 }).map((rounds) => rounds.flat().join(""));
}

function isAscii(piece: string): boolean {
  return /^\p{ASCII}*$/u.test(piece);
}

interface TwitterEntity {
  indices: [number, number];
  url?: string;
  screenName?: string;
  hashtag?: string;
}

function byTwitterText(text: string): string[] {
  const entities: TwitterEntity[] = twitterText.extractEntitiesWithIndices(text);
  // twitter-text counts UTF-16, and its own conversion to code points counts the last astral character twice.
  const codePoints = (index: number) => Array.from(text.slice(0, index)).length;
  const named = (name: keyof TwitterEntity, mark: string) =>
    entities
      .filter((entity) => entity[name] !== undefined)
      .map((entity) => `${entity.indices.map(codePoints).join("-")} ${mark}${entity[name]}`);
  return [...named("url", ""), ...named("screenName", "@"), ...named("hashtag", "#")];
}

/** The entities that Roost finds in a text, each as "start-end what" and in the order of links, mentions and hashtags. */
function foundEntities(text: string): string[] {
  const { urls, mentions, hashtags } = findEntities(text);
  return [
    ...urls.map(({ url, start, end }) => `${start}-${end} ${url}`),
    ...mentions.map(({ screenName, start, end }) => `${start}-${end} @${screenName}`),
    ...hashtags.map((hashtag) => `${hashtag.start}-${hashtag.end} #${hashtag.text}`),
  ];
}
