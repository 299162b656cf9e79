import fc from "fast-check";
import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { isLong, times } from "../support/long.ts";
import { type Person, person } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

// Statuses are made of words, and queries of words or of what stands in a text without spaces. So what a search has to find is known
// from how both were made, without the rules of the service.

const Reference = suite("searches compared with a scan of all statuses");
const services = useServices(Reference);
let authors: Person[];
const size = times(3_000, 100_000);

Reference.before(async () => {
  authors = await Promise.all(Array.from({ length: 20 }, (_, index) => person(services, `author${index}`)));
});

/** Each word with other spellings of it. */
const spaced: Record<string, string[][]> = {
  Latin: [
    ["ferry", "Ferry", "FERRY", "ｆｅｒｒｙ"],
    ["été", "ÉTÉ", "ete", "e\u0301t\u00e9"],
    ["straße", "STRASSE", "Strasse"],
    ["łódź", "Lodz"],
    ["24"],
    ["covid19", "Covid19"],
    ["a", "A"],
  ],
  Greek: [["ελλάδα", "ΕΛΛΑΔΑ", "Ελλαδα"], ["οδός", "ΟΔΟΣ"], ["νερό"]],
  Cyrillic: [["ёлка", "Елка"], ["море", "МОРЕ"], ["київ"]],
  Arabic: [["سلام", "سَلَام"], ["بحر"], ["می\u200cخواهم", "میخواهم"]],
  Hebrew: [["שלום", "שָׁלוֹם"], ["ים"]],
  Devanagari: [["हिंदी"], ["हिंद"], ["समुद्र"]],
  Georgian: [["ზღვა"], ["გამარჯობა"]],
};
const unspaced: Record<string, string> = {
  Chinese: "我在东京大学看海的人很多今天不下雨",
  Japanese: "今日は海がとても静かですタワー東京々",
  Thai: "ภาษาไทยที่ทะเลเงียบมากวันนี้",
  Korean: "서울에서바다를보았어요한국어",
};
const separators = [" ", ", ", "-", "/", " #", " @", "…", " 😀 ", "。", "\n", "<", "_", "’"];

interface Made {
  text: string;
  author: number;
  /** The words by their first spellings. */
  words: Set<string>;
  /** What stands together without spaces. */
  runs: string[];
}

const words = Object.values(spaced).flat();

/** A text of some words and runs, each between separators. */
function make(random: (below: number) => number): Made {
  const made: Made = { text: "", author: random(20), words: new Set(), runs: [] };
  for (let part = 1 + random(8); part > 0; part--) {
    if (random(4) === 0) {
      const letters = [...(Object.values(unspaced)[random(4)] as string)];
      const run = Array.from({ length: 1 + random(9) }, () => letters[random(letters.length)] as string).join("");
      // A mark belongs to what stands before it.
      if (/^\p{M}/u.test(run)) continue;
      made.runs.push(run.normalize("NFC"));
      made.text += run;
    } else {
      // Some words are in most statuses, others in few.
      const spellings = words[Math.min(random(words.length), random(words.length))] as string[];
      made.words.add(spellings[0] as string);
      made.text += spellings[random(spellings.length)];
    }
    made.text += separators[random(separators.length)];
  }
  return made;
}

/** Reproducible random numbers. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

async function bring(all: readonly Made[]): Promise<void> {
  for (let from = 0; from < all.length; from += 500) {
    const statuses = all.slice(from, from + 500).map(({ text, author }, index) => ({
      authorId: authors[author]?.id,
      originId: `${from + index}`,
      status: { text, createdAt: contractDate(new Date(Date.UTC(2014, 0, 1) + (from + index) * 1_000)) },
    }));
    const { results } = await services.clients.imports.importStatuses({ origin: "test", statuses: statuses as never });
    assert.ok(
      results.every(({ refusal }) => refusal === ""),
      results.find(({ refusal }) => refusal !== "")?.refusal,
    );
  }
}

async function search(q: string, take: bigint): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; cursor !== ""; ) {
    const page = await services.clients.people.searchStatuses({ q, take, cursor: cursor ?? "" });
    found.push(...page.results.map(({ text }) => text));
    cursor = page.next;
  }
  return found;
}

Reference(`find the same among ${size} statuses in eleven scripts`, async () => {
  const [seed = 1] = fc.sample(fc.nat(), 1);
  const random = randomFrom(seed);
  const all = Array.from({ length: size }, () => make(random));
  await bring(all);
  const newestFirst = all.toReversed();
  for (let attempt = 0; attempt < times(120, 1_000); attempt++) {
    const wanted = Array.from({ length: random(3) }, () => words[random(words.length)] as string[]);
    const [source] = random(2) === 0 ? [all[random(size)]?.runs[0]] : [];
    const letters = [...(source ?? "")];
    const start = random(letters.length + 1);
    const run = letters.slice(start, start + 1 + random(4)).join("");
    const isRun = run !== "" && !/^\p{M}/u.test(run);
    const author = random(4) === 0 ? random(20) : undefined;
    const parts = [
      ...wanted.map((spellings) => spellings[random(spellings.length)] as string),
      ...(isRun ? [run] : []),
      ...(author === undefined ? [] : [`from:${authors[author]?.name}`]),
    ];
    if (parts.length === 0) continue;
    const q = parts.sort(() => random(3) - 1).join(" ");
    const expected = newestFirst.filter(
      (made) =>
        wanted.every(([word = ""]) => made.words.has(word)) &&
        (!isRun || made.runs.some((one) => one.includes(run))) &&
        (author === undefined || made.author === author),
    );
    // Of a common word not all pages: the newest ones.
    const take = BigInt(1 + random(200));
    const found = expected.length > 2_000 ? undefined : await search(q, take);
    const [page, end] =
      found === undefined
        ? [(await services.clients.people.searchStatuses({ q, take })).results.map(({ text }) => text), Number(take)]
        : [found, expected.length];
    assert.equal(
      page,
      expected.slice(0, end).map(({ text }) => text),
      `${JSON.stringify(q)}, seed ${seed}`,
    );
  }
});

Reference("leave no word in the index that no status has", async () => {
  if (isLong) return;
  const rows = await services.database.query(
    `select author_id, id, word from social.status_word
     except select author_id, id, unnest(words) from social.status`,
  );
  assert.equal(rows, []);
});

Reference.run();
