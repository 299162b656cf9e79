import fc from "fast-check";
import * as assert from "uvu/assert";
import { findEntities } from "../../services/social/domain/entities/find-entities.ts";
import { findHashtags } from "../../services/social/domain/entities/find-hashtags.ts";
import { findMentions } from "../../services/social/domain/entities/find-mentions.ts";
import { findUrls } from "../../services/social/domain/entities/find-urls.ts";
import { isLong, times } from "../support/long.ts";
import { suite } from "../support/suite.ts";

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
