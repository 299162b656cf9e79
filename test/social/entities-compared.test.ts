import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
// @ts-expect-error: twitter-text comes without types.
import twitterText from "twitter-text";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { displayUrl } from "../../services/social/domain/compose-entities.ts";
import { findEntities } from "../../services/social/domain/entities/find-entities.ts";
import type { FoundEntities } from "../../services/social/domain/entities/found-entities.ts";
import { suite } from "../support/suite.ts";

/** One case of twitter-text's conformance suite (extract.yml, 3.1). */
interface Case {
  description: string;
  text: string;
  expected: unknown[];
}

/** What each group of the file asks for, in its own form. */
const readings: Record<string, (found: FoundEntities) => unknown[]> = {
  mentions: ({ mentions }) => mentions.map((mention) => mention.screenName),
  mentions_with_indices: ({ mentions }) =>
    mentions.map(({ screenName, start, end }) => ({ screen_name: screenName, indices: [start, end] })),
  mentions_or_lists_with_indices: ({ mentions }) =>
    mentions.map(({ screenName, start, end }) => ({ screen_name: screenName, list_slug: "", indices: [start, end] })),
  urls: ({ urls }) => urls.map((url) => url.url),
  urls_with_indices: urlsWithIndices,
  urls_with_directional_markers: urlsWithIndices,
  tco_urls_with_params: ({ urls }) => urls.map((url) => url.url),
  hashtags: ({ hashtags }) => hashtags.map((hashtag) => hashtag.text),
  hashtags_from_astral: ({ hashtags }) => hashtags.map((hashtag) => hashtag.text),
  hashtags_with_indices: ({ hashtags }) =>
    hashtags.map(({ text, start, end }) => ({ hashtag: text, indices: [start, end] })),
};

const groupsLeftOut = new Map([
  ["replies", "whether a status is a reply is said by its author, not by its text"],
  ["cashtags", "the contract has no entity for them"],
  ["cashtags_with_indices", "the contract has no entity for them"],
]);

const noLists = "Roost has no lists: '@user/list' mentions the user";
const casesThatDiffer = new Map([
  ["mentions_or_lists_with_indices: Extract a list", noLists],
  ["mentions_or_lists_with_indices: Extract a mention and list", noLists],
  ["mentions_or_lists_with_indices: Extract a list in the middle of a Japanese tweet", noLists],
]);

const file = new URL("../../../shared/data/twitter-text-extract.yml", import.meta.url);
const Conformance = suite("social: entities by twitter-text's conformance suite");

if (existsSync(file)) {
  const groups: Record<string, Case[]> = parse(readFileSync(file, "utf8")).tests;
  for (const [group, read] of Object.entries(readings)) {
    for (const one of groups[group] ?? []) {
      Conformance(`${group}: ${one.description}`, () => check(group, one, read(findEntities(one.text))));
    }
  }

  Conformance("every group of the file is run or left out for a reason, and none is empty", () => {
    assert.equal(Object.keys(groups).sort(), [...Object.keys(readings), ...groupsLeftOut.keys()].sort());
    assert.ok(Object.values(groups).every((cases) => cases.length > 0));
  });

  Conformance("every case of the list of differences is in the file", () => {
    const names = Object.entries(groups).flatMap(([group, cases]) => cases.map((one) => nameOf(group, one)));
    for (const name of casesThatDiffer.keys()) assert.ok(names.includes(name), name);
  });

  // Then it does not matter whether the file counts code points or UTF-16; that indices are code points is tested elsewhere.
  Conformance("no case with indices has a character beyond the basic plane", () => {
    const counted = Object.values(groups)
      .flat()
      .filter((one) => JSON.stringify(one.expected).includes('"indices"'));
    assert.ok(counted.length > 15);
    for (const { text } of counted) assert.is([...text].length, text.length, text);
  });
} else {
  console.warn(`SKIPPED: the conformance suite of twitter-text is not at ${file.pathname}`);
  Conformance.skip("every case");
}

Conformance.run();

function check(group: string, one: Case, found: unknown[]): void {
  if (casesThatDiffer.has(nameOf(group, one))) {
    assert.not.equal(found, one.expected, "this case does not differ any more: take it off the list");
  } else {
    assert.equal(found, one.expected);
  }
}

function nameOf(group: string, one: Case): string {
  return `${group}: ${one.description}`;
}

function urlsWithIndices({ urls }: FoundEntities): unknown[] {
  return urls.map(({ url, start, end }) => ({ url, indices: [start, end] }));
}

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

interface Entity {
  indices: [number, number];
}
interface Link extends Entity {
  url: string;
  expanded_url: string;
  display_url: string;
}
interface Status {
  text: string;
  entities: {
    urls: Link[];
    media?: (Entity & { url: string })[];
    user_mentions: (Entity & { screen_name: string })[];
    hashtags: (Entity & { text: string })[];
  };
  retweeted_status?: Status;
}

const statusesFile = new URL("../../../shared/data/twitter.json", import.meta.url);
const RealStatuses = suite("social: entities of statuses that Twitter published");

if (existsSync(statusesFile)) {
  const published: Status[] = JSON.parse(readFileSync(statusesFile, "utf8")).statuses;
  const statuses = published.flatMap((status) => [status, status.retweeted_status ?? []].flat());

  RealStatuses("are those that Twitter found, with the same indices", () => {
    const compared = statuses.filter((status) => !isCutInsideLink(status));
    assert.ok(compared.length > 150);
    for (const status of compared) assert.equal(foundEntities(status.text).sort(), byTwitter(status), status.text);
  });

  RealStatuses("have the same display URLs as on Twitter, also in profiles", () => {
    // The display URL of a photo cannot be derived from its URL.
    const links = linksIn(published).filter((link) => !link.display_url.startsWith("pic.twitter.com/"));
    assert.ok(links.length > 30);
    assert.ok(links.some((link) => link.display_url.endsWith("…")));
    for (const link of links) assert.is(displayUrl(link.expanded_url), link.display_url);
  });
} else {
  console.warn(`SKIPPED: the sample of Twitter's statuses is not at ${statusesFile.pathname}`);
  RealStatuses.skip("are those that Twitter found, with the same indices");
}

RealStatuses.run();

// A repost was cut to 140 characters, but kept the entities of the whole text.
function isCutInsideLink({ text }: Status): boolean {
  return /https?:\S*…$/.test(text);
}

/** All link entities in there, at any depth. */
function linksIn(value: unknown): Link[] {
  if (typeof value !== "object" || value === null) return [];
  const link = value as Link;
  return link.display_url && link.expanded_url ? [link] : Object.values(value).flatMap(linksIn);
}

function byTwitter({ entities }: Status): string[] {
  return [
    ...[...entities.urls, ...(entities.media ?? [])].map(({ url, indices }) => `${indices.join("-")} ${url}`),
    ...entities.user_mentions.map(({ screen_name, indices }) => `${indices.join("-")} @${screen_name}`),
    ...entities.hashtags.map(({ text, indices }) => `${indices.join("-")} #${text}`),
  ].sort();
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
