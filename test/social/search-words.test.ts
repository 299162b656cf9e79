import * as assert from "uvu/assert";
import { foldText, neededWords, searchWords, textParts } from "../../services/social/domain/search-words.ts";
import { readStatusQuery } from "../../services/social/domain/status-query.ts";
import { namePrefixes, readUserQuery } from "../../services/social/domain/user-query.ts";
import { suite } from "../support/suite.ts";

// That words are found in each of their spellings, in eleven scripts: search-reference.test.ts.
const Words = suite("social: words of a search");

/** Whether a query finds a text, as SearchStatuses decides it. */
function finds(q: string, text: string): boolean {
  const query = readStatusQuery(q);
  if (query === undefined) return false;
  const words = new Set(searchWords(text));
  return query.words.every((word) => words.has(word)) && query.isIn(text);
}

function findsUser(q: string, name: string, screenName = "x"): boolean {
  const { prefix, nameKey, fits } = readUserQuery(q);
  const found = fits({ screenName, name });
  // What fits has to be looked up, too.
  const isListed = prefix !== undefined && namePrefixes(name).includes(prefix);
  if (found) assert.ok(isListed || (nameKey !== undefined && screenName.toLowerCase().startsWith(nameKey)), q);
  return found;
}

Words("are found whatever their case, width and accents", () => {
  for (const [q, text] of [
    ["ÉTÉ", "un ete"],
    ["istanbul", "İSTANBUL ve ısı"],
    ["isi", "İSTANBUL ve ısı"],
    ["smorrebrod", "SMØRREBRØD"],
    ["οδοσ", "ΟΔΟΣ"],
    ["ｗｉｄｅ", "wide"],
    ["ﬁne", "fine"],
    ["タワー", "ﾀﾜｰ"],
    ["یک", "يك"],
  ] as const) {
    assert.ok(finds(q, text), `${q} in ${text}`);
  }
});

Words("are found whole, all of them, in any order", () => {
  assert.ok(finds("cat grey", "Has anybody seen a grey cat?"));
  assert.not.ok(finds("cat dog", "Has anybody seen a grey cat?"));
  assert.not.ok(finds("ca", "cat"));
  assert.not.ok(finds("cats", "cat"));
  assert.not.ok(finds("हिंद", "हिंदी"));
  assert.ok(finds("हिंदी", "हिंदी में"));
  assert.not.ok(finds("हद", "हिंदी"), "marks that are vowels count");
});

Words("end at every character that is no letter, mark or number", () => {
  const text = "she/her, 24/7 day.Thanks e-mail a<b c>d covid-19 l’été don't snake_case hello😀you 1️⃣";
  const found = "she her 24 7 day thanks e mail a b c d covid 19 l ete don t snake case hello you 1";
  assert.is(searchWords(text).join(" "), found);
  for (const [q, text] of [
    ["19", "covid-19"],
    ["e mail", "e-mail"],
    ["e-mail", "e mail"],
    ["tag", "#tag"],
    ["#tag", "tag"],
    ["#tag", "#Tag!"],
    ["name", "@name"],
    ["@name", "hello @name"],
    ["@ann@host.example", "by ann at host.example"],
  ] as const) {
    assert.ok(finds(q, text), `${q} in ${text}`);
  }
  assert.not.ok(finds("email", "e-mail"));
});

Words("of a link are those of its host and path, without its scheme", () => {
  assert.is(searchWords("see HTTPS://News.example/2012/a-b?c=%C3%A9").join(" "), "see news example 2012 a b c c3 a9");
  assert.ok(finds("https://news.example/2012", "see https://news.example/2012/x"));
  assert.ok(finds("http", "http is a protocol"));
});

Words("of scripts without spaces are found as any text within them", () => {
  for (const [q, text] of [
    ["静か", "今日は海がとても静かです。"],
    ["ที่", "ไปที่ไหน"],
    ["タワー", "東京タワーで"],
    ["3つ", "りんご3つのうた"],
    ["2024年", "2024年は"],
    ["iphone", "新しいiPhoneを"],
    ["ខ្មែរ", "ភាសា\u200bខ្មែរ"],
    ["សាខ្មែរ", "ភាសា\u200bខ្មែរ"],
    ["𠀡字", "x𠀡字y"],
  ] as const) {
    assert.ok(finds(q, text), `${q} in ${text}`);
  }
  assert.not.ok(finds("東京都", "東京 京都"), "pairs at different places are another text");
  assert.not.ok(finds("海水", "海と水"));
  assert.equal(neededWords(textParts("東京都 a")), ["東京", "京都", "a"]);
});

Words("are whole words also with the invisible characters that Persian has within them", () => {
  assert.equal(searchWords("می\u200cخواهم"), [foldText("میخواهم")]);
  assert.ok(finds("می\u200cخواهم", "میخواهم"));
  assert.ok(finds("soft", "so\u00adft"));
});

Words("are of a length and number that an index holds, whatever the text", () => {
  const long = "a".repeat(100_000);
  assert.equal(searchWords(long), ["a".repeat(64)]);
  assert.ok(finds("a".repeat(100), long));
  const many = searchWords(Array.from({ length: 20_000 }, (_, number) => `w${number}`).join(" "));
  assert.is(many.length, 4_000);
  assert.is(searchWords("東".repeat(50_000)).length, 2);
  const han = String.fromCodePoint(...Array.from({ length: 5_000 }, (_, index) => 0x4e00 + index));
  assert.is(searchWords(han).length, 4_000);
  assert.equal(searchWords(`x${"\u0301".repeat(100_000)}y`), ["xy"]);
  assert.equal(searchWords("\ud800 \udc00 \u0000 \u0301"), []);
});

Words("take from:name out of a query, in any case, and need nothing else", () => {
  const { isIn, ...query } = readStatusQuery(" grey From:@Ann_1  cat ") ?? { isIn: undefined };
  assert.ok(isIn);
  assert.equal(query, { words: ["grey", "cat"], from: "ann_1" });
  assert.equal(readStatusQuery("from:ann")?.words, []);
  assert.is(readStatusQuery("from:ann from:ANN")?.from, "ann");
  assert.is(readStatusQuery("from:ann from:bea"), undefined);
  assert.is(readStatusQuery("from:änn"), undefined);
  assert.equal(readStatusQuery("from: ann")?.words, ["from", "ann"]);
  assert.equal(readStatusQuery("xfrom:ann")?.words, ["xfrom", "ann"]);
});

Words("are none in a query of signs only, which finds nothing", () => {
  for (const q of ["!", "😀", "-", "https://", "\u200b"]) assert.is(readStatusQuery(q), undefined, q);
});

Words("of a name are found by their beginnings, all of a query's", () => {
  for (const [q, name] of [
    ["a", "Ann Lee"],
    ["le", "Ann Lee"],
    ["LEE", "Ann Lee"],
    ["ann l", "Ann Lee"],
    ["lee ann", "Ann Lee"],
    ["zoe", "Zoë"],
    ["zoë", "ZOE"],
    ["太郎", "山田太郎"],
    ["山田太郎さん", "山田太郎さん"],
    ["김민", "김민수"],
    ["abcdefghijklmnopqrstuvwxyz", "Abcdefghijklmnopqrstuvwxyz"],
  ] as const) {
    assert.ok(findsUser(q, name), `${q} in ${name}`);
  }
  for (const [q, name] of [
    ["nn", "Ann Lee"],
    ["ann x", "Ann Lee"],
    ["abcdefghijklmnopqrstuvwxyy", "Abcdefghijklmnopqrstuvwxyz"],
    ["山田次郎", "山田太郎"],
    ["!", "Ann!"],
  ] as const) {
    assert.not.ok(findsUser(q, name), `${q} in ${name}`);
  }
});

Words("of a user are also the beginning of the screen name, as a whole", () => {
  assert.ok(findsUser("ann_", "Somebody", "Ann_Lee"));
  assert.ok(findsUser("@ANN_L", "Somebody", "Ann_Lee"));
  assert.ok(findsUser("änn", "Somebody", "Ann_Lee"));
  assert.not.ok(findsUser("lee", "Somebody", "Ann_Lee"));
  assert.not.ok(findsUser("annlee", "Somebody", "Ann_Lee"));
});

Words("of a name have no more beginnings than are worth storing", () => {
  assert.ok(namePrefixes("東".repeat(64)).length <= 4);
  const han = String.fromCodePoint(...Array.from({ length: 64 }, (_, index) => 0x4e00 + index));
  assert.is(namePrefixes(han).length, 4 * 64 - 6);
  assert.is(namePrefixes("a".repeat(64)).length, 16);
});

Words.run();
