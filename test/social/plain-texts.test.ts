import * as assert from "uvu/assert";
import { migrateTo } from "../support/migrate-to.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const PlainTexts = suite("migration to plain texts");
let services: TestServices;

const at = "2014-08-31 00:29:15+00";
const ownId = (BigInt(Date.UTC(2014, 7, 31, 0, 29, 15) - Date.UTC(2006, 0, 1)) << 12n) + 5n;
const none = { hashtags: [], urls: [], userMentions: [] };
const hashtag = (start: number) => ({ text: "b", indices: [start, start + 2] });

/** Statuses of user 1 as the last release stored them: their ids, and what they are to be. */
const cases: Record<
  string,
  { text: string; origin: [string, string] | null; hashtags?: object[]; repostOf?: number; becomes: string }
> = {
  escaped: {
    text: "🦉 &lt;a&gt; &amp;#b",
    origin: ["twitter", "505874924095815681"],
    hashtags: [hashtag(17)],
    becomes: "🦉 <a> &#b",
  },
  twice: { text: "&amp;lt;", origin: ["twitter", "7"], becomes: "&lt;" },
  mixed: { text: "a < b &amp; c", origin: ["twitter", "8"], becomes: "a < b &amp; c" },
  other: { text: "R&D &amp;", origin: ["twitter", "9"], becomes: "R&D &amp;" },
  typed: { text: "&lt;3", origin: null, becomes: "&lt;3" },
  // From the export of another system like this one, where it was typed.
  exported: { text: "&lt;3", origin: ["twitter", `${ownId}`], becomes: "&lt;3" },
  // Its id is as short as one of here, and has another time in it.
  early: { text: "&lt;3", origin: ["twitter", "24000000000001"], becomes: "<3" },
  note: { text: "&lt;3", origin: ["mastodon", "https://a.example/1"], becomes: "&lt;3" },
  repost: {
    text: "RT @ann: 🦉 &lt;a&gt; &amp;#b",
    origin: null,
    hashtags: [hashtag(26)],
    repostOf: 1,
    becomes: "RT @ann: 🦉 <a> &#b",
  },
  repostOfTyped: { text: "RT @ann: &lt;3", origin: null, repostOf: 5, becomes: "RT @ann: &lt;3" },
};

PlainTexts.before(async () => {
  const database = await createTestDatabase("en");
  await migrateTo(19, "social", database.social);
  await database.query(
    `insert into social.profile (user_id, screen_name, name, created_at) values (1, 'ann', 'Ann', '${at}')`,
  );
  await database.query("insert into social.screen_name (name_key, user_id) values ('ann', 1)");
  for (const [index, { text, origin, hashtags = [], repostOf }] of Object.values(cases).entries()) {
    await database.query(
      `insert into social.status
         (author_id, id, text, source, created_at, entities, origin, origin_id, repost_of_author_id, repost_of_id)
       values (1, $1, $2, 'web', '${at}', $3, $4, $5, $6, $7)`,
      [
        index + 1,
        text,
        JSON.stringify({ ...none, hashtags }),
        ...(origin ?? [null, null]),
        repostOf === undefined ? null : 1,
        repostOf ?? null,
      ],
    );
  }
  services = await startTestServices({}, database);
});
PlainTexts.after(() => services.stop());

PlainTexts("decodes what was imported from Twitter, once, and nothing that may have been typed", async () => {
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann" });
  const shown = new Map(results.map(({ id, text }) => [Number(id), text]));
  for (const [index, [name, { becomes }]] of Object.entries(cases).entries())
    assert.is(shown.get(index + 1), becomes, name);
});

PlainTexts("moves the entities with their words", async () => {
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann" });
  const words = results.flatMap(({ text, entities }) =>
    (entities?.hashtags ?? []).map(({ indices: [start, end] }) => [...text].slice(start, end).join("")),
  );
  assert.equal(words, ["#b", "#b"]);
  assert.equal(results.at(-1)?.entities?.urls, []);
});

PlainTexts.run();
