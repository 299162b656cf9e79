import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { createRandom, type Random } from "../people/random.ts";
import { importStatuses } from "../support/imports.ts";
import { times } from "../support/long.ts";
import { person } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { allPages, textsOf } from "./pages.ts";

// Statuses are made of words, and queries of words or of what stands in a text without spaces. So what a search has to find is known
// from how both were made, without the rules of the service.

const Reference = suite("searches compared with a scan of all statuses");
const services = useServices(Reference);
const size = times(3_000, 100_000);

/** Words of one script a line, each with other spellings of it. */
const words = [
  ["ferry Ferry FERRY ｆｅｒｒｙ", "été ÉTÉ ete e\u0301t\u00e9", "straße STRASSE Strasse", "łódź Lodz", "24"],
  ["covid19 Covid19", "a A"],
  ["ελλάδα ΕΛΛΑΔΑ Ελλαδα", "οδός ΟΔΟΣ", "νερό"],
  ["ёлка Елка", "море МОРЕ", "київ"],
  ["سلام سَلَام", "بحر", "می\u200cخواهم میخواهم"],
  ["שלום שָׁלוֹם", "ים"],
  ["हिंदी", "हिंद", "समुद्र"],
  ["ზღვა", "გამარჯობა"],
].flatMap((line) => line.map((spellings) => spellings.split(" ")));
const unspaced = [
  "我在东京大学看海的人很多今天不下雨",
  "今日は海がとても静かですタワー東京々",
  "ภาษาไทยที่ทะเลเงียบมากวันนี้",
  "서울에서바다를보았어요한국어",
].map((letters) => [...letters]);
const separators = [" ", ", ", "-", "/", " #", " @", "…", " 😀 ", "。", "\n", "<", "_", "’"];

interface Made {
  text: string;
  author: number;
  /** The words by their first spellings. */
  words: Set<string>;
  /** What stands together without spaces. */
  runs: string[];
}

/** From 0 to `below - 1`. */
const whole = ({ next }: Random, below: number) => Math.floor(next() * below);

/** A text of some words and runs, each between separators. */
function make(random: Random): Made {
  const made: Made = { text: "", author: whole(random, 20), words: new Set(), runs: [] };
  for (let part = 1 + whole(random, 8); part > 0; part--) {
    if (random.percent(25)) {
      const letters = random.pick(unspaced);
      const run = Array.from({ length: 1 + whole(random, 9) }, () => random.pick(letters)).join("");
      // A mark belongs to what stands before it.
      if (/^\p{M}/u.test(run)) continue;
      made.runs.push(run.normalize("NFC"));
      made.text += run;
    } else {
      // Some words are in most statuses, others in few.
      const place = Math.min(whole(random, words.length), whole(random, words.length));
      const spellings = words[place] as string[];
      made.words.add(spellings[0] as string);
      made.text += random.pick(spellings);
    }
    made.text += random.pick(separators);
  }
  return made;
}

Reference(`find the same among ${size} statuses in eleven scripts`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = createRandom(seed);
  const authors = await Promise.all(Array.from({ length: 20 }, (_, index) => person(services, `author${index}`)));
  const all = Array.from({ length: size }, () => make(random));
  for (let from = 0; from < size; from += 500) {
    const statuses = all.slice(from, from + 500).map(({ text, author }, index) => ({
      authorId: authors[author]?.id ?? 0n,
      originId: `${from + index}`,
      status: { text, createdAt: contractDate(new Date(Date.UTC(2014, 0, 1) + (from + index) * 1_000)) },
    }));
    assert.equal(new Set(await importStatuses(services, statuses, { origin: "test" })), new Set(["ADDED"]));
  }
  const newestFirst = all.toReversed();
  for (let attempt = 0; attempt < times(120, 1_000); attempt++) {
    const wanted = Array.from({ length: whole(random, 3) }, () => random.pick(words));
    const letters = random.percent(50) ? [...(random.pick(all).runs[0] ?? "")] : [];
    const start = whole(random, letters.length + 1);
    const run = letters.slice(start, start + 1 + whole(random, 4)).join("");
    const isRun = run !== "" && !/^\p{M}/u.test(run);
    const author = random.percent(25) ? whole(random, 20) : undefined;
    const parts = wanted.map((spellings) => random.pick(spellings));
    if (isRun) parts.push(run);
    if (author !== undefined) parts.push(`from:${authors[author]?.name}`);
    if (parts.length === 0) continue;
    const q = parts.sort(() => whole(random, 3) - 1).join(" ");
    const expected = newestFirst.filter(
      (made) =>
        wanted.every(([word = ""]) => made.words.has(word)) &&
        (!isRun || made.runs.some((one) => one.includes(run))) &&
        (author === undefined || made.author === author),
    );
    const take = BigInt(1 + whole(random, 200));
    const read = (page = {}) => services.clients.people.searchStatuses({ q, take, ...page });
    // Of a common word not all pages: the newest ones.
    const isCommon = expected.length > 2_000;
    const found = isCommon ? (await read()).results : (await allPages(read, take)).flat();
    const texts = textsOf({ results: expected.slice(0, isCommon ? Number(take) : undefined) });
    assert.equal(textsOf({ results: found }), texts, `${JSON.stringify(q)}, seed ${seed}`);
  }
});

Reference.run();
