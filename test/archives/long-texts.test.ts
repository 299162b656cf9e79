import * as assert from "uvu/assert";
import { LongTexts as LongTextsOfX } from "../../cli/archive/long-texts.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { suite } from "../support/suite.ts";
import { archivedTweet, xFile, xZip } from "./archive-samples.ts";
import { leftOutIn, statusesIn } from "./read-archive.ts";

const LongTexts = suite("archives: long texts of X");

const story = "Once upon a time there was an owl who read long texts all night, and who";

/** A long text; by default of the second in which the tweets of these tests were created. */
function note(text: string, fields: JsonObject = {}, core: JsonObject = {}) {
  const noteTweet = { noteTweetId: "77", createdAt: "2014-08-31T00:29:15.000Z", core: { text, ...core }, ...fields };
  return { noteTweet };
}

const archiveOf = (tweets: JsonObject[], notes: JsonObject[]) => xZip(tweets, [xFile("note-tweet", notes)]);

/** The texts of the tweets of an archive. */
async function texts(tweets: [id: string, text: string][], notes: JsonObject[]): Promise<string[]> {
  const archived = tweets.map(([id, text]) => archivedTweet(id, { full_text: text }));
  return (await statusesIn(archiveOf(archived, notes))).map(({ status }) => status?.text ?? "");
}

LongTexts("replace their truncated tweets, and bring their entities", async () => {
  const long = `Once upon a time 🦉 there was a long text &amp; it went on, ${"on and ".repeat(60)}as @Bea said: #owls https://t.co/abc`;
  const plain = [...long.replace("&amp;", "&")];
  const at = (words: string) => {
    const from = [...(long.split(words)[0] ?? "")].length;
    return { fromIndex: `${from}`, toIndex: `${from + [...words].length}` };
  };
  const core = {
    urls: [{ shortUrl: "https://t.co/abc", expandedUrl: "https://a.example/b", ...at("https://t.co/abc") }],
    mentions: [{ screenName: "bea", ...at("@Bea") }],
    hashtags: [
      { text: "owls", ...at("#owls") },
      { text: "owls", fromIndex: "1", toIndex: "6" },
    ],
  };
  const cut = archivedTweet("10", {
    full_text: "Once upon a time 🦉 there was a long text &amp; it went… https://t.co/cut",
    truncated: true,
    entities: { user_mentions: [{ screen_name: "Bea", name: "Bea B", id_str: "8", indices: ["0", "4"] }] },
    extended_entities: { media: [{ url: "https://t.co/cut", media_url: "p", indices: ["60", "76"] }] },
  });
  const notes = [
    note("Quite another text of this second"),
    note(long, { createdAt: "2014-08-31T00:29:16.000Z" }, core),
    note("No tweet shows this", { createdAt: "2015-01-01T00:00:00.000Z" }),
    { noteTweet: {} },
  ];
  const bytes = archiveOf([cut, archivedTweet("11")], notes);
  const [status, short] = (await statusesIn(bytes)).map((item) => item.status);
  assert.equal([status?.text, status?.truncated, short?.text], [plain.join(""), false, "Tweet 11"]);
  const { userMentions = [], urls = [], hashtags = [], media = [] } = status?.entities ?? {};
  const shown = ({ indices }: { indices: number[] }) => plain.slice(...indices).join("");
  assert.equal([...userMentions, ...urls, ...hashtags].map(shown), ["@Bea", "https://t.co/abc", "#owls"]);
  assert.equal(
    [userMentions[0]?.idStr, userMentions[0]?.name, urls[0]?.expandedUrl],
    ["8", "Bea B", "https://a.example/b"],
  );
  assert.equal(media[0]?.indices, [plain.length, plain.length]);
  assert.equal(await leftOutIn(bytes), [["long texts without a post", 2]]);
});

LongTexts("are not taken where they are too large, nor by a tweet that cannot be truncated", async () => {
  const tweets = [`${"鳥".repeat(100)}…`, `a${" ".repeat(200_000)}x`, "Two birds sat on a tree…"].map((text, index) =>
    archivedTweet(`${10 + index}`, { full_text: text, truncated: true }),
  );
  // More than a user writes in a second, and several that begin alike.
  const many = Array.from({ length: 3_000 }, (_, n) => note(`Two birds sat on a tree and ${n}`));
  const statuses = await statusesIn(archiveOf(tweets, [note("鳥".repeat(25_000)), ...many]));
  assert.equal(
    statuses.map(({ status }) => [status?.truncated, status?.text.length]),
    [
      [true, 101],
      [true, 200_002],
      [false, "Two birds sat on a tree and 0".length],
    ],
  );
});

LongTexts("are not taken by other tweets of the second that begin alike, and were not truncated", async () => {
  const short: [string, string][] = [
    ["10", "Once upon a time there was an owl"],
    ["11", "Once…"],
    ["12", "Once upon a time … there was"],
    ["13", "Once upon a time there was an owl https://t.co/owl"],
  ];
  const long = `${story} slept all day.`;
  assert.equal(await texts([...short, ["14", `${story}… https://t.co/cut`]], [note(long)]), [
    ...short.map(([, text]) => text),
    long,
  ]);
});

LongTexts("of one second that begin alike go to the tweets with the nearest ids", async () => {
  const [first, second] = [505_874_924_095_815_681n, 505_874_924_900_000_000n];
  const notes = [
    note(`${story} sang.`, { noteTweetId: `${first - 4_000_000n}` }),
    note(`${story} wrote.`, { noteTweetId: `${second - 4_000_000n}` }),
    note(`${story} flew.`, { createdAt: "2014-08-31T00:29:14.000Z", noteTweetId: `${first - 800_000_000n}` }),
  ];
  const cut = `${story}…`;
  const found = await texts(
    [
      [`${second}`, cut],
      [`${first}`, cut],
      ["505874924999999999", "Other"],
    ],
    notes,
  );
  assert.equal(found, [`${story} wrote.`, `${story} sang.`, "Other"]);
});

LongTexts("are found though links have other addresses, names come first, and several links follow", async () => {
  const long = `Read https://t.co/new and then read on &amp; on, ${story}`;
  const cut = "@ann @bea Read https://t.co/old and then read on &amp; on, Once… https://t.co/cut https://t.co/photo";
  assert.equal(await texts([["10", cut]], [note(long)]), [long.replace("&amp;", "&")]);
});

LongTexts("are there for each record of a tweet that comes twice", async () => {
  const tweets: [string, string][] = [10, 10, 11].map((id) => [`${id}`, `${story}…`]);
  assert.equal(await texts(tweets, [note(`${story} sang.`)]), [`${story} sang.`, `${story} sang.`, `${story}…`]);
});

LongTexts("that a tweet has as a whole are not reported as left out, and change nothing", async () => {
  const text = "@bea a short text with bold words, which makes it a long one";
  const bytes = archiveOf([archivedTweet("10", { full_text: text })], [note(text.slice(5))]);
  assert.is((await statusesIn(bytes))[0]?.status?.text, text);
  assert.equal(await leftOutIn(bytes), []);
});

LongTexts("have a limit for their number", () => {
  const longTexts = new LongTextsOfX(2);
  const add = () => longTexts.add(note(story));
  try {
    add();
    // Unreadable: it does not count.
    longTexts.add({ noteTweet: {} });
    add();
    assert.throws(add, /^it holds more than 2 long texts$/);
  } finally {
    longTexts.close();
  }
});

LongTexts.run();
