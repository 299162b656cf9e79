import { execFile, execFileSync } from "node:child_process";
import { lstat, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { undoJob } from "../../cli/as-user/job.ts";
import { StatusIndex } from "../../cli/as-user/status-index.ts";
import type { ImportClients } from "../../cli/import/services.ts";
import { runHere } from "../cli/run-cli.ts";
import { twitterStatus, twitterUser } from "../cli/samples.ts";
import { useFolder } from "../support/folder.ts";
import { protect, publish, register, textsOf, valuesOf } from "../support/people.ts";
import { startTestServices, type TestServices, useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { zipFile } from "./archive-files.ts";
import { archivedTweet, mastodonTarGz, noteActivity, xFile, xZip } from "./archive-samples.ts";
import { readArchive } from "./read-archive.ts";

const AsUser = suite("archives: import as a user");
const services = useServices(AsUser);
const { path: directory, write } = useFolder(AsUser);

/** Runs a command; `err` is what follows the line that names the system. */
async function cli(...args: string[]) {
  const { code, out, err } = await runHere(args, { SOCIAL_URL: services.socialUrl });
  const announced = `Roost: social service ${services.socialUrl}\n`;
  assert.ok(err.startsWith(announced), err);
  return { code, out, err: err.slice(announced.length) };
}

/** Imports an archive as a user. */
const bring = async (screenName: string, name: string, bytes: Uint8Array | string, ...options: string[]) =>
  cli("import", write(name, bytes), "--as", screenName, ...options);

const timeline = async (screenName: string) => (await services.clients.social.socialTimelines({ screenName })).results;
const texts = async (screenName: string) => textsOf(await timeline(screenName));

const jobLine = /^job (\d+-[\da-f]{32})\n/;

AsUser("imports all statuses for the account, whatever author the file names, and prints the job first", async () => {
  const userId = await register(services, "ann");
  const tweets = [archivedTweet("20", { user: { id_str: "5", screen_name: "other" } }), archivedTweet("10")];
  const { code, out, err } = await bring("ANN", "ann.zip", xZip(tweets));
  assert.equal([code, err], [0, ""]);
  assert.match(out, jobLine);
  assert.ok(out.startsWith(`job ${userId}-`));
  assert.match(out, /\nleft out: direct 0, followers-only 0, .*\nadded 2, updated 0, unchanged 0, refused 0\n$/);
  assert.equal(await texts("ann"), ["Tweet 20", "Tweet 10"]);
  const [user] = (await services.clients.social.socialUsers({ screenNames: ["ann", "other"] })).results;
  assert.equal([user?.screenName, user?.statusesCount, user?.status?.text], ["ann", 2, "Tweet 20"]);
});

AsUser("continues the job of the same file when it is repeated, and changes nothing after the end", async () => {
  await register(services, "bea");
  const direct = { to: [], cc: [] };
  const archive = mastodonTarGz([noteActivity(1), noteActivity(2, direct, direct)]);
  const first = await bring("bea", "bea.tar.gz", archive);
  const again = await bring("bea", "bea.tar.gz", archive);
  assert.match(first.out, /left out: direct 1,.*\nadded 1, updated 0, unchanged 0, refused 0\n$/);
  assert.match(again.out, /\nbegun before, 1 of its statuses are stored: it continues\n/);
  assert.match(again.out, /\nadded 0, updated 0, unchanged 1, refused 0\n$/);
  assert.is(jobLine.exec(first.out)?.[1], jobLine.exec(again.out)?.[1]);
});

AsUser("imports the last of several records of one status", async () => {
  await register(services, "bo");
  const later = "2022-11-05T00:07:00Z";
  const first = noteActivity(1, { content: "first", published: later });
  const records = [first, noteActivity(2), noteActivity(1, { content: "last" })];
  const notes = await bring("bo", "bo.tar.gz", mastodonTarGz(records));
  assert.match(notes.out, /\nadded 2, updated 0, unchanged 0, refused 0\n$/);
  assert.equal(await texts("bo"), ["Note 2", "last"]);
  const later20 = archivedTweet("20", { created_at: "Sun Aug 31 00:30:15 +0000 2014", full_text: "first" });
  const tweets = xZip([later20, archivedTweet("20", { full_text: "last" })]);
  const again = await bring("bo", "bo.zip", tweets);
  assert.match(again.out, /\nadded 1, updated 0, unchanged 0, refused 0\n$/);
  assert.equal(await texts("bo"), ["Note 2", "last", "last"]);
});

AsUser("undoes the statuses of one job only, and with --dry-run only counts them", async () => {
  const authorId = await register(services, "cleo");
  await publish(services, authorId, "own");
  const one = await bring("cleo", "cleo.zip", xZip([archivedTweet("10"), archivedTweet("20")]));
  await bring("cleo", "cleo2.zip", xZip([archivedTweet("20"), archivedTweet("30")]));
  const job = jobLine.exec(one.out)?.[1] as string;
  assert.is((await cli("import", "--undo", job, "--dry-run")).out, "nothing was removed; would remove 2\n");
  assert.equal(await texts("cleo"), ["own", "Tweet 30", "Tweet 20", "Tweet 10"]);
  assert.equal((await cli("import", "--undo", job)).out, "removed 2\n");
  assert.equal(await texts("cleo"), ["own", "Tweet 30"]);
  assert.equal((await cli("import", "--undo", job)).out, "removed 0\n");
});

AsUser("prints with --dry-run what it would import, and changes nothing", async () => {
  await register(services, "dora");
  const path = write("dora.zip", xZip([archivedTweet("10"), archivedTweet("x"), archivedTweet("20")]));
  const { code, out, err } = await cli("import", path, "--as", "dora", "--dry-run");
  assert.equal([code, err], [1, `${path}: data/tweets.js[1]: id is not an id\n`]);
  assert.match(out, /\nnothing was imported; would add 2, update 0, leave unchanged 0, refuse 1\n$/);
  assert.equal(await texts("dora"), []);
  await cli("import", path, "--as", "dora");
  const again = await cli("import", path, "--as", "dora", "--dry-run");
  assert.match(again.out, /\nnothing was imported; would add 0, update 0, leave unchanged 2, refuse 1\n$/);
});

AsUser("changes nothing for a damaged archive, an unknown user or a missing file", async () => {
  await register(services, "edna");
  const broken = write("edna.zip", zipFile([{ ...xFile("tweets", [{ tweet: archivedTweet("10") }]), crc: 1 }]));
  const good = write("edna-good.zip", xZip([archivedTweet("10")]));
  const cases: [string[], string][] = [
    [[broken, "--as", "edna"], `${broken}: data/tweets.js is damaged: its checksum is wrong`],
    [[good, "--as", "unknown"], 'There is no user "unknown" here, or the user is suspended.'],
    [[good, `${good}.none`, "--as", "edna"], `${good}.none cannot be read: there is no such file`],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await cli("import", ...args);
    assert.equal([code, err], [1, `${message}\nNothing was imported.\n`]);
  }
  assert.equal(await texts("edna"), []);
});

AsUser("imports the statuses of an API v1.1 file, without embedded ones and those of a protected author", async () => {
  const userId = await register(services, "faye");
  const reply = { in_reply_to_status_id_str: "10", in_reply_to_user_id_str: "1", in_reply_to_screen_name: "user1" };
  const list = [
    twitterStatus("11", { ...reply, quoted_status: twitterStatus("5", { user: twitterUser("2") }) }),
    twitterStatus("10"),
    twitterStatus("12", { user: twitterUser("1", { protected: true }) }),
  ];
  const { code, out } = await bring("faye", "faye.json", JSON.stringify(list));
  assert.is(code, 0);
  assert.match(out, /followers-only 1,.*\nadded 2, updated 0, unchanged 0, refused 0\n$/);
  const results = await timeline("faye");
  assert.equal(
    results.map(({ text, inReplyToUserId, inReplyToScreenName }) => [text, inReplyToUserId, inReplyToScreenName]),
    [
      ["Status 11", userId, "faye"],
      ["Status 10", undefined, undefined],
    ],
  );
  assert.is(results[0]?.inReplyToStatusId, results[1]?.id);
});

AsUser(
  "imports a retweet as a repost where the original is here, and counts it as a boost where it is not",
  async () => {
    await register(services, "finn");
    const original = twitterStatus("5", { user: twitterUser("2", { screen_name: "bigbird" }), text: "all &amp; more" });
    const [known, unknown] = ["5", "6"].map((id) => ({ ...original, id: Number(id), id_str: id }));
    const originals = write("originals.json", JSON.stringify([original]));
    await runHere(["import", originals], { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl });
    const list = [
      twitterStatus("10", { retweeted_status: known as never }),
      twitterStatus("11", { retweeted_status: unknown as never }),
    ];
    const { code, out } = await bring("finn", "finn.json", JSON.stringify(list));
    assert.is(code, 0);
    assert.match(out, /boosts 1,.*\nadded 1, updated 0, unchanged 0, refused 0\n$/);
    assert.equal(await texts("finn"), ["RT @bigbird: all & more"]);
    const reposts = "select from social.status where repost_of_id is not null";
    assert.is((await services.database.query(reposts)).length, 1);
  },
);

AsUser("finds the target of a reply by its id, whatever its address looks like and whoever it names", async () => {
  const userId = await register(services, "gus");
  const id = (part: number) => `https://social.example/objects/${part}`;
  const part = (number: number, fields: object = {}) => noteActivity(number, { id: id(number), ...fields }) as never;
  const elsewhere = { inReplyTo: "https://other.example/objects/1" };
  const thread = [part(3, { inReplyTo: id(2) }), part(1), part(2, { inReplyTo: { id: id(1) } }), part(4, elsewhere)];
  await bring("gus", "gus.tar.gz", mastodonTarGz(thread));
  const notes = await timeline("gus");
  const [, , second, first] = notes;
  assert.equal(
    notes.map(({ inReplyToUserId, inReplyToScreenName }) => inReplyToUserId && [inReplyToUserId, inReplyToScreenName]),
    [undefined, [userId, "gus"], [userId, "gus"], undefined],
  );
  assert.equal([notes[1]?.inReplyToStatusId, second?.inReplyToStatusId], [second?.id, first?.id]);
  // X's tweets alone do not say whose they are.
  await register(services, "ivy");
  const reply = { in_reply_to_status_id_str: "10", in_reply_to_user_id_str: "77", in_reply_to_screen_name: "old" };
  const tweets = zipFile([xFile("tweets", [archivedTweet("10"), archivedTweet("11", reply)])]);
  await bring("ivy", "ivy.zip", tweets);
  const results = await timeline("ivy");
  assert.equal([results[0]?.inReplyToStatusId, results[0]?.inReplyToScreenName], [results[1]?.id, "ivy"]);
});

AsUser("imports of the versions of an edited status the last one that is there, and counts the others", async () => {
  await register(services, "jo");
  const initial = { editTweetIds: ["20", "100", "101"], editsRemaining: "3" };
  const edit = { initialTweetId: "20", editControlInitial: initial };
  const versions = [
    archivedTweet("20", { full_text: "elven", edit_info: { initial } }),
    archivedTweet("100", { full_text: "eleven", edit_info: { edit } }),
    archivedTweet("30"),
  ];
  const { code, out } = await bring("jo", "jo.zip", xZip(versions.toReversed()));
  assert.is(code, 0);
  assert.match(out, /earlier versions 1,.*\nadded 2, updated 0, unchanged 0, refused 0\n$/);
  assert.equal(new Set(await texts("jo")), new Set(["Tweet 30", "eleven"]));
});

AsUser("fails when a file holds no posts, and counts what broke a rule in the others", async () => {
  await register(services, "kit");
  const empty = write("kit-empty.zip", xZip([]));
  const none = await cli("import", empty, "--as", "kit");
  assert.equal([none.code, none.err], [1, `${empty}: it holds no posts\n`]);
  const odd = archivedTweet("10", { retweet_count: "-1", coordinates: { type: "Point", coordinates: ["x", "y"] } });
  const { code, out } = await bring("kit", "kit.zip", xZip([odd]));
  assert.is(code, 0);
  assert.match(out, /\nbroke a rule and got their default: retweet_count 1, coordinates 1\nadded 1, /);
});

AsUser("imports a folder as it imports the archive that was unpacked there, and continues its job", async () => {
  await register(services, "lu");
  const folder = join(directory, "lu");
  const { name, data } = xFile("tweets", [{ tweet: archivedTweet("10") }]);
  write(`lu/${name}`, data);
  write("lu/data/like.js", "not read");
  const first = await cli("import", folder, "--as", "lu");
  assert.match(first.out, /\nadded 1, updated 0, unchanged 0, refused 0\n$/);
  write("lu/data/like.js", "another one");
  const again = await cli("import", folder, "--as", "lu");
  assert.is(jobLine.exec(again.out)?.[1], jobLine.exec(first.out)?.[1]);
  assert.match(again.out, /begun before, 1 of its statuses are stored/);
});

AsUser("exports a file that another system imports with the same timeline, texts and status ids", async () => {
  const authorId = await register(services, "gina");
  const list = Array.from({ length: 450 }, (_, id) =>
    archivedTweet(`${1_000 + id}`, { full_text: id === 449 ? "fish &amp; chips &lt;3" : `🦉 ${id} "\\ \u2028` }),
  );
  const sizes = { small: { w: "1", h: "2", resize: "fit" } };
  list[7] = archivedTweet("1007", {
    in_reply_to_status_id_str: "1006",
    in_reply_to_user_id_str: "2244994945",
    coordinates: { type: "Point", coordinates: ["-73.5", "40.25"] },
    entities: {
      hashtags: [{ text: "a", indices: ["0", "2"] }],
      urls: [{ url: "u", expanded_url: "e", display_url: "d", indices: ["1", "2"] }],
      user_mentions: [{ name: "n", screen_name: "s", id_str: "2244994945", indices: ["0", "1"] }],
    },
    extended_entities: {
      media: [{ url: "https://t.co/m", media_url: "http://p.example/1", indices: ["0", "1"], sizes }],
    },
  });
  await bring("gina", "gina.zip", xZip(list));
  // What a person typed stays as it is, also what looks like an escape.
  const typed = ["&lt;3 https://a.example #tag", "&lt;3 &amp;amp; a<b"];
  for (const text of typed) await publish(services, authorId, text);
  const path = join(directory, "gina.json");
  const { code, out, err } = await cli("export", "Gina", path);
  assert.equal([code, out, err], [0, "", ""]);
  assert.not.match((await readdir(directory)).join(), ".part");
  const exported = JSON.parse(await readFile(path, "utf8")) as { text: string }[];
  assert.is(exported.length, 452);
  assert.equal(textsOf(exported.slice(0, 3)), [...typed.toReversed(), "fish & chips <3"]);

  const other = await startTestServices();
  try {
    const { accountUrl, socialUrl } = other;
    const run = await runHere(["import", path], { ACCOUNT_URL: accountUrl, SOCIAL_URL: socialUrl });
    assert.match(run.out, /users: added 1,.*\nstatuses: added 452, updated 0, unchanged 0, refused 0/);
    const [here, there] = await Promise.all([wholeTimeline(services, "gina"), wholeTimeline(other, "gina")]);
    assert.equal(there, here);
  } finally {
    await other.stop();
  }
});

AsUser("exports into a pipe, and into the file that a link leads to, and leaves no file when it fails", async () => {
  await register(services, "hal");
  const [pipe, link] = [join(directory, "pipe"), join(directory, "link.json")];
  execFileSync("mkfifo", [pipe]);
  // Ends by itself when nothing is written to the pipe.
  const reader = promisify(execFile)("cat", [pipe], { timeout: 20_000 });
  assert.is((await cli("export", "hal", pipe)).code, 0);
  assert.match((await reader).stdout, '"screen_name":"hal"');
  assert.ok((await lstat(pipe)).isFIFO());
  const target = write("target.json", "old");
  await symlink(target, link);
  write("link.json.part", "precious");
  assert.is((await cli("export", "hal", link)).code, 0);
  assert.ok((await lstat(link)).isSymbolicLink());
  assert.match(await readFile(target, "utf8"), '"screen_name":"hal"');
  assert.is(await readFile(`${link}.part`, "utf8"), "precious");
  const err = `There is no folder ${join(directory, "none")}.\nNothing was written.\n`;
  assert.equal(await cli("export", "hal", join(directory, "none", "hal.json")), { code: 1, out: "", err });
  assert.is((await cli("export", "unknown", join(directory, "none.json"))).code, 1);
  assert.not.ok((await readdir(directory)).some((name) => name.startsWith("none")));
});

/** All pages of a timeline as a reader sees it, without the author's id, which differs between systems. */
async function wholeTimeline(system: TestServices, screenName: string): Promise<string[]> {
  const lines: string[] = [];
  for (let maxId: bigint | undefined; ; ) {
    const request = { screenName, take: 200n, ...(maxId === undefined ? {} : { maxId }) };
    const { results, author } = await system.clients.social.socialTimelines(request);
    const write = (value: unknown) =>
      JSON.stringify(value, (_, part) =>
        typeof part !== "bigint" ? part : part === author?.id ? "the author" : `${part}`,
      );
    if (lines.length === 0) lines.push(write({ ...author, id: 0 }));
    lines.push(...results.map(write).map((line) => line.replaceAll(`"${author?.id}"`, '"the author"')));
    if (results.length === 0) return lines;
    maxId = (results.at(-1)?.id ?? 1n) - 1n;
  }
}

AsUser("exports a protected user, and one without statuses", async () => {
  const userId = await register(services, "hana");
  await protect(services, { id: userId });
  const { code, out } = await cli("export", "hana");
  assert.is(code, 0);
  const [user] = JSON.parse(out) as [{ screen_name: string; protected: boolean }];
  assert.equal([user.screen_name, user.protected], ["hana", true]);
  // Such a file can be imported: nothing of it is refused.
  assert.equal(await readArchive(out), []);
  await publish(services, userId, "for followers");
  const [status] = JSON.parse((await cli("export", "hana")).out) as [{ text: string }];
  assert.is(status.text, "for followers");
});

AsUser.run();

const UndoJob = suite("archives: undoing a job");

UndoJob("counts what a call removed whose answer was lost", async () => {
  let left = 1_500n;
  const remove = () => {
    const removed = left < 1_000n ? left : 1_000n;
    left -= removed;
    return { removed, complete: left === 0n };
  };
  const imports = {
    countImported: async () => ({ statuses: left }),
    // As a repeated call: the first one removed statuses too.
    undoImport: async () => (remove(), remove()),
  };
  const job = { authorId: 1n, job: 1n } as unknown as Parameters<typeof undoJob>[1];
  const report = { progress() {} } as unknown as Parameters<typeof undoJob>[2];
  assert.is(await undoJob({ imports } as unknown as ImportClients, job, report), 1_500);
});

UndoJob.run();

const Index = suite("archives: status index");

Index("sorts by all 64 bits", () => {
  const index = new StatusIndex();
  for (const [offset, order] of [2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 32n, 0n, 2n ** 32n - 1n].entries()) {
    index.add(order, `${order}`, { offset, length: 1 });
  }
  assert.equal(valuesOf([...index.sorted()], "offset"), [3, 4, 2, 1, 0]);
});

Index("has a limit for the number of records", () => {
  const index = new StatusIndex(2);
  const add = () => index.add(1n, "1", { offset: 0, length: 1 });
  add();
  add();
  assert.throws(add, /^it holds more than 2 statuses$/);
});

Index.run();
