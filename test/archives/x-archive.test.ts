import * as assert from "uvu/assert";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { zipFile } from "./archive-files.ts";
import { archivedTweet, xFile, xZip } from "./archive-samples.ts";
import { leftOutIn, readArchive, statusesIn } from "./read-archive.ts";

const X = suite("archives: archives of X");

X("are read with the tweets of all parts and the id of their owner", async () => {
  const parts = [2, 1].map((part) => xFile(`tweets-part${part}`, [{ tweet: archivedTweet(`${part}0`) }]));
  const found = await readArchive(xZip([archivedTweet("5")], parts));
  assert.equal(
    found.flatMap((item) =>
      item.kind === "status" ? [item.status.originId] : item.kind === "owner" ? [item.originId] : [],
    ),
    ["2244994945", "5", "20", "10"],
  );
});

X("are read with the tweets to communities, also when they were packed again in a folder", async () => {
  const account = xFile("account", [{ account: { accountId: "7" } }]);
  const files = ["tweets", "community-tweet"].map((name, index) =>
    xFile(name, [{ tweet: archivedTweet(`${index + 1}`) }]),
  );
  const packed = [account, ...files].map((file) => ({ ...file, name: `twitter-2024-05-01/${file.name}` }));
  const all = await Promise.all([zipFile([account, ...files]), zipFile(packed)].map(readArchive));
  for (const found of all) {
    assert.equal(found[0], { kind: "owner", originId: "7" });
    const ids = found.flatMap((item) => (item.kind === "status" ? [item.status.originId] : []));
    assert.equal(ids, ["1", "2"]);
  }
});

X("have their numbers read, which are written as strings", async () => {
  const [status] = await statusesIn(
    xZip([
      archivedTweet("505874924095815681", {
        full_text: "#a @b https://t.co/c https://t.co/d",
        coordinates: { type: "Point", coordinates: ["-73.5", "40.25"] },
        geo: { type: "Point", coordinates: ["40.25", "-73.5"] },
        entities: {
          hashtags: [{ text: "a", indices: ["0", "2"] }],
          symbols: [],
          user_mentions: [{ name: "B", screen_name: "b", indices: ["3", "5"], id_str: "7", id: "7" }],
          urls: [
            {
              url: "https://t.co/c",
              expanded_url: "https://c.example/",
              display_url: "c.example",
              indices: ["6", "20"],
            },
          ],
          media: [{ url: "https://t.co/d", indices: ["21", "35"], media_url: "one" }],
        },
        extended_entities: {
          media: ["one", "two"].map((media_url) => ({
            url: "https://t.co/d",
            indices: ["21", "35"],
            media_url,
            type: "photo",
            sizes: { small: { w: "680", h: "510", resize: "fit" } },
          })),
        },
      }),
    ]),
  );
  const { hashtags, userMentions, urls, media } = status?.status?.entities ?? {};
  assert.equal([hashtags?.[0]?.text, hashtags?.[0]?.indices], ["a", [0, 2]]);
  assert.equal([userMentions?.[0]?.idStr, userMentions?.[0]?.indices], ["7", [3, 5]]);
  assert.equal([urls?.[0]?.expandedUrl, urls?.[0]?.indices], ["https://c.example/", [6, 20]]);
  assert.equal(
    media?.map(({ mediaUrl, sizes, indices }) => [mediaUrl, sizes.small?.w, sizes.small?.h, indices]),
    [
      ["one", 680, 510, [21, 35]],
      ["two", 680, 510, [21, 35]],
    ],
  );
  assert.equal(status?.status?.coordinates?.coordinates, [-73.5, 40.25]);
  assert.equal([status?.originId, status?.status?.retweetCount], ["505874924095815681", 2]);
});

X("have the owner's old name replaced by the user's name here in answers to the owner", async () => {
  const reply = { in_reply_to_status_id_str: "5", in_reply_to_screen_name: "old_name" };
  const [own, other] = await statusesIn(
    xZip([
      archivedTweet("10", { ...reply, in_reply_to_user_id_str: "2244994945" }),
      archivedTweet("11", { ...reply, in_reply_to_user_id_str: "99" }),
    ]),
  );
  assert.equal([own?.inReplyToStatusOriginId, own?.status?.inReplyToScreenName], ["5", "ann"]);
  assert.is(other?.status?.inReplyToScreenName, "old_name");
});

X("have direct messages and tweets for a circle left out and counted", async () => {
  const message = (text: string) => ({ messageCreate: { text, senderId: "1" } });
  const conversations = [
    { dmConversation: { messages: [message('say "messageCreate" : {'), message("b")] } },
    { dmConversation: { messages: [message("c")] } },
  ];
  const bytes = xZip(
    [archivedTweet("10")],
    [
      xFile("direct-messages", conversations),
      xFile("direct-messages-group", conversations.slice(1)),
      xFile("twitter-circle-tweet", [{ tweet: archivedTweet("11") }, { tweet: archivedTweet("12") }]),
      xFile("deleted-tweets", [{ tweet: archivedTweet("13") }]),
    ],
  );
  assert.equal(valuesOf(await statusesIn(bytes), "originId"), ["10"]);
  assert.equal(await leftOutIn(bytes), [
    ["followers-only", 1],
    ["followers-only", 1],
    ["direct", 3],
    ["direct", 1],
  ]);
});

X("have all tweets of a protected account left out", async () => {
  const change = (protectedAt: string, action: string) => ({ protectedHistory: { protectedAt, action } });
  const archive = (...changes: object[]) => xZip([archivedTweet("10")], [xFile("protected-history", changes)]);
  const [on, off] = [change("2014-01-01T00:00:00.000Z", "Protect"), change("2015-01-01T00:00:00.000Z", "Unprotect")];
  assert.equal(await leftOutIn(archive(on)), [["followers-only", 1]]);
  assert.equal(await statusesIn(archive(on)), []);
  assert.is((await statusesIn(archive(off, on))).length, 1);
});

X("of the older form are read, without wrappers and account", async () => {
  const bytes = zipFile([xFile("tweet", [archivedTweet("10")])]);
  assert.equal(valuesOf(await statusesIn(bytes), "originId"), ["10"]);
});

X("have invalid tweets refused with their position, and the others read", async () => {
  const broken = [archivedTweet("x"), archivedTweet("10", { full_text: "" }), archivedTweet("99999999999999999999")];
  const found = await readArchive(xZip([...broken, archivedTweet("11"), archivedTweet("12", { created_at: "now" })]));
  assert.equal(
    found.flatMap((item) => (item.kind === "refused" ? [`${item.place}: ${item.reason}`] : [])),
    [
      "data/tweets.js[0]: id is not an id",
      "data/tweets.js[1]: text is missing",
      "data/tweets.js[2]: id is not an id",
      'data/tweets.js[4]: created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"',
    ],
  );
  assert.is(found.filter(({ kind }) => kind === "status").length, 1);
});

X.run();
