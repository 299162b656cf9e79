import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { noteText } from "../../cli/archive/note-text.ts";
import type { JsonObject } from "../../cli/json/json.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { tarFile, zipFile } from "./archive-files.ts";
import { actor, mastodonFiles, mastodonTarGz, noteActivity, publicCollection } from "./archive-samples.ts";
import { readArchive, statusesIn } from "./read-archive.ts";

const Mastodon = suite("archives: archives of Mastodon");
const followers = `${actor}/followers`;

const statusOf = async (fields: JsonObject) => (await statusesIn(mastodonTarGz([noteActivity(1, fields)])))[0];

Mastodon(
  "are read from each form of tar, also those before POSIX, whatever is first, and with byte order marks",
  async () => {
    const files = mastodonFiles([noteActivity(2), noteActivity(1)]);
    const dotted = files.map(({ name, data }) => ({ name: `./${name}`, data }));
    const before = files.map((file) => ({ ...file, type: "\0" }));
    const old = tarFile(before, true, "");
    const marked = files.map(({ name, data }) => ({ name, data: `\uFEFF${data}` }));
    for (const bytes of [tarFile(dotted), old, gzipSync(old), zipFile(files.toReversed()), zipFile(marked)]) {
      const statuses = await statusesIn(bytes);
      assert.equal(valuesOf(statuses, "originId"), [`${actor}/statuses/2`, `${actor}/statuses/1`]);
      const { text, createdAt } = statuses[0]?.status ?? {};
      assert.equal([text, createdAt], ["Note 2", "Sat Nov 05 00:02:00 +0000 2022"]);
    }
  },
);

Mastodon("order notes of one second by their ids", async () => {
  const published = "2022-11-05T00:00:00Z";
  const idOf = (ms: number) => BigInt(Date.parse(published) + ms) << 16n;
  const ids = [idOf(900), idOf(100), idOf(500)];
  const notes = [...ids, 7n].map((id) => noteActivity(1, { id: `${actor}/statuses/${id}`, published }));
  const items = await readArchive(mastodonTarGz(notes));
  assert.equal(
    items.flatMap((item) => (item.kind === "status" ? [item.order] : [])),
    [...ids, idOf(0)],
  );
});

Mastodon("import only public and unlisted notes, and count the others", async () => {
  const receivers = (to: JsonObject["to"], cc: JsonObject["cc"] = []) => noteActivity(1, { to, cc }, { to, cc });
  const cases: [JsonObject, string][] = [
    [receivers([publicCollection], [followers]), "status"],
    [receivers([followers], [publicCollection]), "status"],
    [receivers("as:Public"), "status"],
    [receivers([followers]), "followers-only"],
    [receivers([followers], ["https://other.example/users/bob"]), "followers-only"],
    [receivers(["https://other.example/users/bob"]), "direct"],
    [receivers([], []), "direct"],
    [receivers(undefined, undefined), "direct"],
    // Both the activity and its note must be public.
    [noteActivity(1, { to: [followers], cc: [] }), "followers-only"],
    [noteActivity(1, {}, { to: [followers], cc: [] }), "followers-only"],
    [{ type: "Announce", object: "https://other.example/1", to: [publicCollection] }, "boosts"],
    [{ type: "Announce", object: noteActivity(1).object as JsonObject, to: [publicCollection] }, "boosts"],
  ];
  for (const [activity, expected] of cases) {
    const found = await readArchive(mastodonTarGz([activity]));
    const kinds = found.map((item) => (item.kind === "left out" ? item.why : item.kind));
    assert.equal(kinds, ["owner", expected], JSON.stringify(activity));
  }
});

Mastodon("are converted from HTML to text with lines, paragraphs and lists, after their content warning", () => {
  for (const [html, expected] of [
    [
      "<p>One<br>two<br />three</p><p>Four &amp; &lt;five&gt; &#x1F989;&nbsp;!</p>",
      "One\ntwo\nthree\n\nFour & <five> 🦉\u00a0!",
    ],
    ["<p>a<br><br>b</p>", "a\n\nb"],
    ["<ul><li>a</li><li>b</li></ul>c", "- a\n- b\n\nc"],
    ["<blockquote><p>a</p></blockquote><p>b\nc</p>", "a\n\nb c"],
    ["<pre>a\n  b</pre>", "a\n  b"],
    ["<script>alert(1)</script><style>p{}</style>x<!-- y -->", "x"],
    ["plain, unclosed <b>bold <i>both", "plain, unclosed bold both"],
    ["<p></p>  <p> a </p>", "a"],
    ["", ""],
    ["&#0;&#xD800;&bogus;", "\ufffd\ufffd&bogus;"],
  ] as const)
    assert.is(noteText("", html, [], []).text, expected);
  assert.is(noteText("spoiler", "<p>The owl did it.</p>", [], []).text, "CW: spoiler\n\nThe owl did it.");
});

Mastodon("keep http(s) links, as address in the text and as entity", async () => {
  const hidden =
    '<a href="https://a.example/long/path/x"><span class="invisible">https://</span><span class="ellipsis">a.example/long</span><span class="invisible">/path/x</span></a>';
  const html = `<p>🦉 ${hidden} and <a href="http://b.example/">words</a></p>`;
  const { text: said, entities } = noteText("", html, [], []);
  assert.is(said, "🦉 https://a.example/long/path/x and words http://b.example/");
  assert.equal(
    entities.urls.map(({ url, expandedUrl, displayUrl, indices }) => [url, expandedUrl, displayUrl, indices]),
    [
      ["https://a.example/long/path/x", "https://a.example/long/path/x", "a.example/long…", [2, 31]],
      ["http://b.example/", "http://b.example/", "b.example", [42, 59]],
    ],
  );
  for (const href of ["javascript:alert(1)", "mailto:a@b.example", "/relative", "https:// bad", ""]) {
    const other = noteText("", `<a href="${href}">words</a>`, [], []);
    assert.equal([other.text, other.entities.urls], ["words", []], href);
  }
});

Mastodon("mention users with their server, and keep hashtags as they are written", async () => {
  const status = await statusOf({
    content:
      `<p><a href="https://other.example/@Bob" class="u-url mention">@<span>Bob</span></a> and ` +
      `<a href="https://social.example/@ann" class="u-url mention">@<span>ann</span></a> like ` +
      `<a href="https://social.example/tags/Owls" class="mention hashtag" rel="tag">#<span>Owls</span></a></p>`,
    tag: [
      { type: "Mention", href: "https://other.example/users/Bob", name: "@Bob@other.example" },
      { type: "Mention", href: actor, name: "@ann" },
      { type: "Hashtag", href: "https://social.example/tags/owls", name: "#owls" },
    ],
  });
  assert.is(status?.status?.text, "@Bob@other.example and @ann@social.example like #Owls");
  assert.equal(
    status?.status?.entities?.userMentions.map(({ idStr, screenName, indices }) => [idStr, screenName, indices]),
    [
      ["https://other.example/users/Bob", "Bob@other.example", [0, 18]],
      [actor, "ann@social.example", [23, 42]],
    ],
  );
  const [tag] = status?.status?.entities?.hashtags ?? [];
  assert.equal([tag?.text, tag?.indices], ["Owls", [48, 53]]);
});

Mastodon("keep the address of the note that a note answers, and its author where that is known", async () => {
  const bob = "https://other.example/users/bob";
  const tag = [{ type: "Mention", href: bob, name: "@bob@other.example" }];
  const cases = [
    [`${actor}/statuses/1`, actor, "ann"],
    [`${bob}/statuses/5`, bob, "bob@other.example"],
    ["https://third.example/notes/1", "", undefined],
  ] as const;
  for (const [inReplyTo, userOriginId, name] of cases) {
    const { inReplyToStatusOriginId, inReplyToUserOriginId, status } = (await statusOf({ inReplyTo, tag })) ?? {};
    const answered = [inReplyToStatusOriginId, inReplyToUserOriginId, status?.inReplyToScreenName];
    assert.equal(answered, [inReplyTo, userOriginId, name]);
  }
});

Mastodon("keep media with an http address, and leave out notes that have only files", async () => {
  const file = { type: "Document", mediaType: "image/png", url: "/media/1/a.png", width: 10, height: 20 };
  const remote = { ...file, url: "https://cdn.example/a.png" };
  const status = await statusOf({ content: "<p>x</p>", attachment: [file, remote, { ...remote, url: "ftp://x/y" }] });
  const { media = [] } = status?.status?.entities ?? {};
  assert.equal(
    media.map(({ mediaUrl, type, sizes, indices }) => [mediaUrl, type, sizes.large?.h, indices]),
    [["https://cdn.example/a.png", "photo", 20, [1, 1]]],
  );
  const found = await readArchive(mastodonTarGz([noteActivity(1, { content: "", attachment: [file] })]));
  assert.equal(found[1], { kind: "left out", why: "media only", count: 1 });
});

Mastodon("append the choices of a poll to its text", async () => {
  const poll = { type: "Question", content: "<p>Owl?</p>", oneOf: [{ name: "Yes" }, { name: "Hoo" }] };
  const status = await statusOf(poll);
  assert.is(status?.status?.text, "Owl?\n\n- Yes\n- Hoo");
});

Mastodon("replace origin ids that are too long by their SHA-256", async () => {
  const id = `https://social.example/${"x".repeat(100)}`;
  const [first, again] = [await statusOf({ id }), await statusOf({ id })];
  assert.match(first?.originId as string, /^sha256:[\da-f]{64}$/);
  assert.is(first?.originId, again?.originId);
});

Mastodon("refuse invalid notes with their position", async () => {
  const cases: [JsonObject, string][] = [
    [noteActivity(1, { id: null }), "id is missing"],
    [noteActivity(2, { published: "now" }), "published is not a date"],
    [noteActivity(2, { published: "2023-02-30T00:00:00Z" }), "published is not a date"],
    [noteActivity(3, {}, { type: "Like" }), "it is neither a post nor a boost"],
    [noteActivity(4, { content: "a\u0000b" }), "content holds a NUL character"],
  ];
  const found = await readArchive(mastodonTarGz([...cases.map(([note]) => note), noteActivity(5)]));
  assert.equal(
    found.flatMap((item) => (item.kind === "refused" ? [`${item.place}: ${item.reason}`] : [])),
    cases.map(([, reason], index) => `outbox.json.orderedItems[${index}]: ${reason}`),
  );
});

Mastodon.run();
