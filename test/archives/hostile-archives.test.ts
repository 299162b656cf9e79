import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { nameCheck, UnpackMeter } from "../../cli/archive/limits.ts";
import { suite } from "../support/suite.ts";
import { tarFile, zipFile } from "./archive-files.ts";
import { archivedTweet, mastodonFiles, mastodonTarGz, noteActivity, xFile, xZip } from "./archive-samples.ts";
import { faultOf, readArchive } from "./read-archive.ts";

const Hostile = suite("archives: hostile archives");
const tweets = xFile("tweets", [{ tweet: archivedTweet("10") }]);
const files = mastodonFiles([noteActivity(1)]);
const blanks = (bytes: number) => `window.YTD.tweets.part0 = [${" ".repeat(bytes)}]`;

Hostile("that unpack to more than 200 times their size are refused, whatever their header says", async () => {
  const bomb = blanks(20 * 1024 ** 2);
  const outbox = `{"orderedItems":[${" ".repeat(20 * 1024 ** 2)}]}`;
  for (const [bytes, fault] of [
    [zipFile([{ name: "data/tweets.js", data: bomb }]), /^data\/tweets\.js unpacks to more than 200 times its size/],
    // The header says a smaller size.
    [
      zipFile([{ name: "data/tweets.js", data: bomb, size: 1_000 }]),
      /^data\/tweets\.js is larger than the archive says/,
    ],
    [gzipSync(tarFile([{ name: "outbox.json", data: outbox }])), /^it unpacks to more than 200 times its size/],
    // This member is not read, but it must be unpacked to be skipped.
    [gzipSync(tarFile([{ name: "media/1.png", data: bomb }, ...files])), /^it unpacks to more than 200 times its size/],
  ] as const)
    assert.match(await faultOf(bytes), fault);
});

Hostile("are refused when a header's size is larger than the member", async () => {
  const two = 2 * 1024 ** 3;
  for (const [bytes, fault] of [
    [zipFile([{ ...tweets, size: two }]), /unpacks to more than 200 times its size/],
    [zipFile([{ ...tweets, size: 0xffff_fffe }]), /unpacks to more than|larger than/],
    [zipFile([{ ...tweets, size: 9_000 }]), /data\/tweets\.js is smaller than the archive says/],
    [zipFile([{ ...tweets, stored: true, packedSize: two, size: two }]), /overflows file bounds/],
    [tarFile([{ name: "outbox.json", data: "{", size: two }]), /^it is cut off$/],
    [tarFile([{ name: "outbox.json", size: 8 * 1024 ** 3 - 1 }]), /larger than 4294967296 bytes/],
  ] as const)
    assert.match(await faultOf(bytes), fault);
});

Hostile("are refused when a name leads out of the archive", async () => {
  for (const name of ["../../etc/passwd", "data/../../x", "/etc/passwd", "..\\x", "C:/x"]) {
    const inZip = await faultOf(zipFile([{ name, data: "x" }, tweets]));
    assert.match(inZip, /invalid (relative path|characters in fileName)|absolute path|foreign name|leads out/, name);
    assert.match(await faultOf(tarFile([{ name, data: "x" }, ...files])), /foreign name|leads out of it/, name);
  }
});

Hostile("are refused when a file that is read is a link, encrypted or there twice", async () => {
  const types = ["1", "2", "3", "5", "6", "Z"].map((type) => faultOf(tarFile([{ name: "outbox.json", type }])));
  for (const fault of await Promise.all(types)) assert.match(fault, /^outbox\.json is a .*, and only files are read$/);
  for (const [bytes, fault] of [
    [zipFile([{ ...tweets, mode: 0o120777 }]), /^data\/tweets\.js is a link, and links are not followed$/],
    [zipFile([{ ...tweets, flags: 1 }]), /^data\/tweets\.js is encrypted$/],
    [zipFile([{ ...tweets, flags: 0x41 }]), /strong encryption is not supported/],
    [zipFile([{ ...tweets, method: 14 }]), /not supported, method 14/],
    [zipFile([tweets, tweets]), /^it holds "data\/tweets\.js" twice$/],
    [zipFile([tweets, { ...tweets, name: `again/${tweets.name}` }]), /^it holds "data\/tweets\.js" twice$/],
    [tarFile([...files, ...files]), /^it holds "outbox\.json" twice$/],
    [zipFile([tweets, ...files]), /^it holds both X's tweets\.js and outbox\.json$/],
  ] as const)
    assert.match(await faultOf(bytes), fault);
  // A link that is not read is allowed: it is not followed.
  assert.is(await faultOf(tarFile([{ name: "media", type: "2" }, ...files])), "");
});

Hostile("are refused without the files of an archive, or when these are in an archive inside", async () => {
  const nested = zipFile([{ name: "data/tweets.zip", data: zipFile([tweets]) }]);
  const neither = "it holds neither X's tweets.js (or tweet.js, js/tweets) nor outbox.json";
  assert.is(await faultOf(nested), neither);
  assert.is(await faultOf(zipFile([])), neither);
  assert.is(await faultOf(gzipSync(tarFile([{ name: "inner.tar.gz", data: "x" }]))), neither);
  assert.match(await faultOf(gzipSync(Buffer.alloc(4_096, "\0x"))), /no form that is read here: .* the bytes 0078/);
  // No tar without the name of the format, since its sum is wrong.
  assert.match(await faultOf(tarFile(files, true, "").fill("x", 10, 11)), /no form that is read here/);
});

Hostile("are refused when they are damaged or cut off", async () => {
  assert.match(await faultOf(zipFile([{ ...tweets, crc: 1 }])), /checksum is wrong/);
  const zip = zipFile([tweets]);
  assert.match(await faultOf(zip.subarray(0, -30)), /End of central directory|file is truncated|signature/);
  const tarGz = mastodonTarGz(Array.from({ length: 200 }, (_, id) => noteActivity(id + 1)));
  for (const part of [0.3, 0.6, 0.95])
    assert.match(await faultOf(tarGz.subarray(0, Math.floor(tarGz.length * part))), /unexpected end of file/);
  const damaged = Buffer.from(tarGz);
  damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 20);
  assert.not.equal(await faultOf(damaged), "");
  // Not compressed, so that one changed letter breaks only the checksum, which stands after the padding of the tar.
  const changed = gzipSync(Buffer.concat([tarFile(files), Buffer.alloc(1024 ** 2)]), { level: 0 });
  changed.write("M", changed.indexOf("<p>Note") + 3);
  assert.is(await faultOf(changed), "it cannot be unpacked: incorrect data check");
  const packed = zipFile([{ name: "data/tweets.js", data: blanks(0) + randomBytes(9_000).toString("hex") }]);
  packed.fill(0x55, 200, 260);
  assert.not.equal(await faultOf(packed), "");
  assert.is(await faultOf(tarFile(files, false)), "it is cut off");
  assert.is(await faultOf(tarFile(files).subarray(0, 700)), "it is cut off");
});

Hostile("have posts refused whose JSON or HTML is nested more than 64 deep", async () => {
  const html = noteActivity(1, { content: "<b>".repeat(100_000) });
  assert.equal(await postsIn(mastodonTarGz([html, noteActivity(2)])), [
    "its HTML is nested more than 64 deep",
    "status",
  ]);
  const json = `window.YTD.tweets.part0 = [${"[".repeat(100_000)}${"]".repeat(100_000)}]`;
  assert.equal(await postsIn(zipFile([{ name: "data/tweets.js", data: json }])), ["it is nested more than 64 deep"]);
});

Hostile("have a post refused that is larger than its limit, and are refused when a header is", async () => {
  const large = randomBytes(3 * 1024 ** 2).toString("base64");
  const tweets = [archivedTweet("1"), archivedTweet("2", { full_text: large }), archivedTweet("3")];
  assert.equal(await postsIn(xZip(tweets)), ["status", "it is larger than 4194304 bytes", "status"]);
  const longName = tarFile([{ name: "x", type: "L", size: 2 * 1024 ** 3 }]);
  assert.is(await faultOf(longName), "it cannot be unpacked: Header exceeds max size");
});

/** "status" for each post of an archive that is read, or why it was refused. */
async function postsIn(bytes: Uint8Array): Promise<string[]> {
  return (await readArchive(bytes)).flatMap((item) =>
    item.kind === "refused" ? [item.reason] : item.kind === "status" ? [item.kind] : [],
  );
}

Hostile("are never run as JavaScript: everything but JSON is refused", async () => {
  const file = (text: string) => zipFile([{ name: "data/tweets.js", data: text }]);
  const start = "window.YTD.tweets.part0 = ";
  for (const [text, fault] of [
    ["process.exit(3)", "does not start as X's files do"],
    ["window.YTD.tweets.part0 = (() => [])()", "does not start as X's files do"],
    ["window.YTD['tweets'] = [", "does not start as X's files do"],
    [`${start}[]; process.exit(3)`, "something follows its end"],
    [start, "does not start as X's files do"],
  ] as const)
    assert.match(await faultOf(file(text)), fault, text);
  const code = file(`${start}[{"tweet": new Date()}, (function(){ process.exit(3) })()]`);
  assert.equal(await postsIn(code), ["it is not JSON", "it is not JSON"]);
});

Hostile("have limits for the number of files, the bytes of each and the bytes of all", async () => {
  const check = nameCheck({ entries: 4, filesRead: 1 });
  check("a", undefined);
  check("b", "b");
  check("c", undefined);
  assert.throws(() => check("d", "d"), /it holds more than 1 files of posts/);
  assert.throws(() => check("e", undefined), /it holds more than 4 files$/);
  const meter = new UnpackMeter({ entryBytes: 10, totalBytes: 15 });
  const read = async (bytes: number) => {
    async function* chunk() {
      yield new Uint8Array(bytes);
    }
    for await (const _ of meter.entry("x", chunk(), () => bytes));
  };
  const failing = (bytes: number) => read(bytes).then(() => "", String);
  assert.equal(await failing(10), "");
  assert.match(await failing(11), /x is larger than 10 bytes/);
  assert.match(await failing(6), /it unpacks to more than 15 bytes/);
});

Hostile.run();
