import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { twitterStatus, twitterUser, without } from "../cli/samples.ts";
import { useFolder } from "../support/folder.ts";
import { suite } from "../support/suite.ts";
import { tarFile, zipFile } from "./archive-files.ts";
import { archivedTweet, mastodonFiles, noteActivity, xFile } from "./archive-samples.ts";
import { faultOf, readPath, statusesIn } from "./read-archive.ts";

const Forms = suite("archives: what a file is");
const { path: directory, write } = useFolder(Forms);

interface File {
  name: string;
  data: string;
}

const text = ({ data }: { data: string | Uint8Array }) => data as string;
const list = [archivedTweet("10"), archivedTweet("11")];
const account = xFile("account", [{ account: { accountId: "7" } }]);
const wrapped = list.map((tweet) => ({ tweet }));
const today = [account, xFile("tweets", wrapped)].map((file) => ({ ...file, data: text(file) }));
const of2019 = [account, xFile("tweet", list)].map((file) => ({
  name: file.name.replace("data/", ""),
  data: text(file),
}));

/** A file of one month, as until 2018. */
function month(name: string, ids: string[]): File {
  const tweets = ids.map((id) => ({
    ...without(twitterStatus(id), "retweet_count", "coordinates"),
    created_at: "2016-05-15 18:22:33 +0000",
    geo: {},
    source: "web",
    user: { id: 7, id_str: "7", screen_name: "ann", name: "Ann", protected: false },
  }));
  return {
    name: `data/js/tweets/${name}.js`,
    data: `Grailbird.data.tweets_${name} = \n ${JSON.stringify(tweets, null, 2)}`,
  };
}

const of2016 = [
  month("2016_05", ["10"]),
  month("2016_04", ["11"]),
  { name: "data/js/user_details.js", data: 'var user_details = { "id": "7" }' },
];
const others = [
  { name: "index.html", data: "<html></html>" },
  { name: "data/like.js", data: "window.YTD.like.part0 = []" },
];
const notes = mastodonFiles([noteActivity(10), noteActivity(11)]);

const idsIn = async (bytes: Uint8Array | string) =>
  (await statusesIn(bytes)).map(({ originId }) => originId.slice(-2)).sort();

async function idsInFolder(name: string, files: File[]) {
  for (const file of files) write(`${name}/${file.name}`, file.data);
  const items = await readPath(join(directory, name));
  return items.flatMap((item) => (item.kind === "status" ? [item.status.originId.slice(-2)] : [])).sort();
}

Forms(
  "is asked of X's archives of all years and of Mastodon's, as zip, tar, tar.gz and folder, in a folder more or not",
  async () => {
    for (const [name, files] of Object.entries({ today, of2019, of2016, notes })) {
      const all = [...files, ...others];
      const inFolder = all.map((file) => ({ ...file, name: `archive-1/${file.name}` }));
      for (const members of [all, inFolder]) {
        const found = await Promise.all([zipFile(members), tarFile(members), gzipSync(tarFile(members))].map(idsIn));
        assert.equal(found, Array(3).fill(["10", "11"]), name);
      }
      assert.equal(await idsInFolder(name, all), ["10", "11"], name);
      assert.equal(await idsInFolder(`${name}-more`, inFolder), ["10", "11"], name);
    }
  },
);

Forms("is asked of single files: X's tweets of all years, an outbox, and API v1.1, gzipped or not", async () => {
  const lines = (values: object[]) => values.map((value) => JSON.stringify(value)).join("\n");
  const statuses = [twitterStatus("10"), twitterStatus("11")];
  const cases: Record<string, [string, number]> = {
    "tweets.js": [today[1]?.data ?? "", 2],
    "tweet.js": [of2019[1]?.data ?? "", 2],
    "2016_05.js": [of2016[0]?.data ?? "", 1],
    "outbox.json": [notes[0]?.data ?? "", 2],
    "outbox with one": [JSON.stringify({ type: "OrderedCollection", orderedItems: noteActivity(10) }), 1],
    "lines of X": [lines(wrapped), 2],
    "lines of X without wrappers": [lines(list), 2],
    "lines of v1.1": [lines(statuses), 2],
    "a list": [JSON.stringify(statuses), 2],
    "a list with lines": [JSON.stringify(statuses, null, 2), 2],
    "under a name": [JSON.stringify({ statuses, search_metadata: {} }), 2],
    "one under a name": [JSON.stringify({ statuses: statuses[0] }), 1],
    one: [JSON.stringify(statuses[0]), 1],
    "one with lines": [JSON.stringify(statuses[0], null, 1), 1],
    "after an odd one": [JSON.stringify([17, null, { no: 1 }, ...statuses]), 2],
  };
  for (const [name, [data, count]] of Object.entries(cases)) {
    const expected = ["10", "11"].slice(0, count);
    assert.equal([await idsIn(data), await idsIn(gzipSync(data))], [expected, expected], name);
  }
});

Forms("may be a zip of Windows, with backslashes in the names, which lead out of no archive", async () => {
  const windows = (files: File[]) => files.map((file) => ({ ...file, name: `x\\${file.name.replaceAll("/", "\\")}` }));
  assert.equal(await idsIn(zipFile(windows(today))), ["10", "11"]);
  assert.equal(await idsIn(tarFile(windows(today))), ["10", "11"]);
  assert.match(await faultOf(zipFile([{ name: "..\\x", data: "" }, ...today])), /invalid relative path|leads out/);
});

Forms("may be a zip that counts its files modulo 65,536, which is read to the end of its directory", async () => {
  for (const more of [65_534, 65_600]) {
    const pictures = Array.from({ length: more }, (_, number) => ({ name: `m/${number}`, data: "", stored: true }));
    assert.equal(await idsIn(zipFile([...pictures, ...today])), ["10", "11"], `${more}`);
  }
  // Where the last record's length is wrong, nothing may be missing unnoticed.
  const zip = zipFile([...others, ...today]);
  for (const length of [-46, 46]) {
    const broken = Buffer.from(zip);
    broken.writeUInt32LE(zip.readUInt32LE(zip.length - 10) + length, zip.length - 10);
    assert.not.equal(await faultOf(broken), "", `${length}`);
  }
});

Forms("is named in one sentence, where it is known and not supported, or else by how it begins", async () => {
  const at = "2024-01-01T00:00:00.000Z";
  const misskey = [{ id: "9a", text: "Note", createdAt: at, fileIds: [], renoteId: null, visibility: "public" }];
  const status = { id: "1", created_at: at, visibility: "public", content: "<p>x</p>", account: { acct: "a" } };
  const api = "it is a backup in the form of Mastodon's API, such as mastodon-archive makes, which is not supported";
  const begins = "it has no form that is read here: it begins with";
  for (const [data, fault] of [
    [JSON.stringify(misskey), "it is an export of notes of Misskey, which is not supported"],
    [JSON.stringify({ account: { id: "1" }, statuses: [status] }), api],
    [JSON.stringify([status]), api],
    ["window.YTD.like.part0 = [ { } ]", "it is data/like.js of an archive of X, which holds no posts"],
    ['[{"title":"a","when":1},{"title":"b"}]', `${begins} a list of objects with title, when`],
    ['{"title":"a"}', `${begins} objects with title`],
    ["[1,2]", `${begins} a list of the value 1`],
    ["title;when\nowls;now\n", `${begins} "title;when" and "owls;now"`],
    [Buffer.from([0x25, 0x50, 0, 1]), `${begins} the bytes 25500001`],
  ] as const)
    assert.is(await faultOf(data), fault);
  assert.match(await faultOf(""), /it is empty$/);
});

Forms("is not asked of what a link in a folder leads to", async () => {
  write("linked/data/like.js", "");
  symlinkSync(write("target.js", today[1]?.data ?? ""), join(directory, "linked/data/tweets.js"));
  const read = readPath(join(directory, "linked")).then(
    () => "",
    (error: Error) => error.message,
  );
  assert.match(await read, /holds neither/);
});

Forms("has the posts of a protected author left out, in whichever form it names the author", async () => {
  const user = twitterUser("1", { protected: "true" });
  for (const data of [
    JSON.stringify([twitterStatus("10", { user })]),
    `window.YTD.tweets.part0 = ${JSON.stringify([archivedTweet("10", { user })])}`,
  ]) {
    assert.equal(await idsIn(data), []);
  }
});

Forms.run();
