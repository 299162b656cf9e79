import { create, type MessageInitShape } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { importedContent } from "../../services/social/domain/imported-content.ts";
import { importedTime } from "../../services/social/domain/imported-id.ts";
import { parseImportedStatus } from "../../services/social/domain/imported-status.ts";
import { importStatuses as importAll } from "../support/imports.ts";
import { person } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Content = suite("imported content");
const services = useServices(Content);

const importStatuses = (authorId: bigint, ...statuses: { originId: string; status?: object }[]) =>
  importAll(
    services,
    statuses.map((status) => ({ authorId, ...status })),
  );

async function timeline(screenName: string) {
  return (await services.clients.social.socialTimelines({ screenName })).results;
}

Content("is stored with every character of texts, sources and entities", async () => {
  const author = await person(services, "ann");
  const text = "NUL \\u0000, tab\t, line\nline\r\n, \\N \\. \\\\t \\x41 \u2028 \u0001 \u007f é 😀 \"'";
  const status = {
    text,
    source: text,
    inReplyToScreenName: text,
    coordinates: { type: "Point", coordinates: [-0.5, 1e-7] },
    entities: { hashtags: [{ text, indices: [0, 1] }] },
  };
  assert.equal(await importStatuses(author.id, { originId: "1", status }), ["ADDED"]);
  const [shown] = await timeline(author.name);
  for (const field of [shown?.text, shown?.source, shown?.inReplyToScreenName, shown?.entities?.hashtags[0]?.text])
    assert.is(field, text);
  assert.equal(shown?.coordinates?.coordinates, [-0.5, 1e-7]);
  assert.equal(await importStatuses(author.id, { originId: "1", status }), ["UNCHANGED"]);
});

Content("is refused when it takes too much, or indices of an entity are not a pair", async () => {
  const author = await person(services, "cat");
  const status = { text: "é".repeat(24_000), entities: { urls: [{ indices: [0, 0] }] } };
  const notPairs = [
    { hashtags: [{ text: "a", indices: [5, 2] }] },
    { urls: [{ indices: [-5, 2] }] },
    { userMentions: [{ indices: [] }] },
    { media: [{ indices: [9, 12, 7] }] },
  ];
  const refused = await importStatuses(
    author.id,
    { originId: "1", status },
    { originId: "2", status: { text: "é".repeat(25_000) } },
    { originId: "3", status: { entities: { hashtags: [{ text: "x".repeat(48 * 1_024), indices: [0, 1] }] } } },
    { originId: "x".repeat(101) },
    ...notPairs.map((entities, index) => ({ originId: `4${index}`, status: { entities } })),
  );
  assert.equal(refused, [
    "ADDED",
    "it takes more than 48 KiB",
    "it takes more than 48 KiB",
    "it has no author, no usable original id or no status",
    ...notPairs.map(() => "indices of an entity are not a pair"),
  ]);
});

Content("is updated where the origin gives a status a later time than all others have", async () => {
  const author = await person(services, "bea");
  const status = { createdAt: "Thu Aug 28 13:08:45 +0000 2008" };
  assert.equal(await importStatuses(author.id, { originId: "1" }), ["ADDED"]);
  assert.equal(await importStatuses(author.id, { originId: "1", status }, { originId: "2", status }), [
    "UPDATED",
    "ADDED",
  ]);
  assert.equal((await timeline(author.name)).length, 2);
});

Content.run();

const Domain = suite("social domain");

function contentOf(status: MessageInitShape<typeof ImportedStatusSchema>["status"], inReplyToUserOriginId = "") {
  const createdAt = "Wed Aug 27 13:08:45 +0000 2008";
  const message = create(ImportedStatusSchema, {
    authorId: 7n,
    originId: "12",
    inReplyToStatusOriginId: "11",
    inReplyToUserOriginId,
    status: { createdAt, ...status } as never,
  });
  const parsed = parseImportedStatus(message);
  if (typeof parsed === "string") throw new Error(parsed);
  return importedContent(parsed, { user: (id) => (id === "5" ? 9n : undefined), status: () => 99n });
}

Domain("gives imported content the digests that earlier releases stored", () => {
  const link = { url: "http://t.co/a", displayUrl: "a.example", expandedUrl: "http://a.example/", indices: [1, 2] };
  const size = { w: 1, h: 2, resize: "fit" };
  const sizes = { thumb: size, "10": size, large: size, "9": size };
  const full = {
    text: 'a "b"\n\\ é 😀',
    source: "web",
    truncated: true,
    retweetCount: 3,
    inReplyToScreenName: "ann",
    coordinates: { type: "Point", coordinates: [-0.5, 1e-7] },
    entities: {
      media: [{ ...link, mediaUrl: "http://m", mediaUrlHttps: "https://m", type: "photo", sizes }],
      urls: [link],
      userMentions: [
        { idStr: "5", name: "Ann", screenName: "ann", indices: [3, 4] },
        { idStr: "6", name: "B", screenName: "b", indices: [5, 6] },
      ],
      hashtags: [{ text: "tag", indices: [7, 8] }],
    },
  };
  assert.equal(
    [contentOf(full, "5"), contentOf({ text: "t" })].map((content) => content.digest),
    [
      "29721c138068b0e274bc1948e1697cd0275de22fa73f764ec24fe53cb26f6934",
      "3702d4766876970303c4d3be18b3fa170ccf28b6c99023e74d4e16e612686694",
    ],
  );
});

Domain("takes the milliseconds of an imported status from a Twitter id that agrees with its date", () => {
  const second = new Date("2014-08-31T00:29:15Z");
  assert.is(importedTime("twitter", "505874924095815681", second).toISOString(), "2014-08-31T00:29:15.263Z");
  assert.equal(importedTime("elsewhere", "505874924095815681", second), second);
  assert.equal(importedTime("twitter", "12345", second), second);
  assert.equal(importedTime("twitter", "605874924095815681", second), second);
});

Domain.run();
