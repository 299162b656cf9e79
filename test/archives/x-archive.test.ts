import * as assert from "uvu/assert";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { zipFile } from "./archive-files.ts";
import { archivedTweet, xFile, xZip } from "./archive-samples.ts";
import { leftOutIn, readArchive, statusesIn } from "./read-archive.ts";

const X = suite("archives: archives of X");

X("are read with the tweets of all parts and to communities, and the id of their owner, also in a folder", async () => {
  const account = xFile("account", [{ account: { accountId: "7" } }]);
  const files = ["tweets", "tweets-part2", "tweets-part1", "community-tweet"].map((name, index) =>
    xFile(name, [{ tweet: archivedTweet(`${index + 1}`) }]),
  );
  const packed = [account, ...files].map((file) => ({ ...file, name: `twitter-2024-05-01/${file.name}` }));
  for (const bytes of [zipFile([account, ...files]), zipFile(packed)]) {
    assert.equal((await readArchive(bytes))[0], { kind: "owner", originId: "7" });
    assert.equal(valuesOf(await statusesIn(bytes), "originId"), ["1", "2", "3", "4"]);
  }
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
  const files = [
    xFile("direct-messages", conversations),
    xFile("direct-messages-group", conversations.slice(1)),
    xFile("twitter-circle-tweet", [{ tweet: archivedTweet("11") }, { tweet: archivedTweet("12") }]),
    xFile("deleted-tweets", [{ tweet: archivedTweet("13") }]),
  ];
  const bytes = xZip([archivedTweet("10")], files);
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
