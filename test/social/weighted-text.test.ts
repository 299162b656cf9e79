import fc from "fast-check";
// @ts-expect-error: twitter-text comes without types.
import twitterText from "twitter-text";
import * as assert from "uvu/assert";
import { cutToWeight, weightedLength } from "../../services/social/domain/weighted-text.ts";
import { suite } from "../support/suite.ts";

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
