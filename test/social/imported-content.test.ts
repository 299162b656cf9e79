import { create, type MessageInitShape } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { importedContent } from "../../services/social/domain/imported-content.ts";
import { importedTime } from "../../services/social/domain/imported-id.ts";
import { parseImportedStatus } from "../../services/social/domain/imported-status.ts";
import { suite } from "../support/suite.ts";

const Content = suite("imported content");

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

Content("has the digests that earlier releases stored", () => {
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
  for (const [content, digest] of [
    [contentOf(full, "5"), "29721c138068b0e274bc1948e1697cd0275de22fa73f764ec24fe53cb26f6934"],
    [contentOf({ text: "t" }), "3702d4766876970303c4d3be18b3fa170ccf28b6c99023e74d4e16e612686694"],
  ] as const)
    assert.is(content.digest, digest);
});

Content("has the milliseconds of a Twitter id that agrees with its date", () => {
  const second = new Date("2014-08-31T00:29:15Z");
  assert.is(importedTime("twitter", "505874924095815681", second).toISOString(), "2014-08-31T00:29:15.263Z");
  assert.equal(importedTime("elsewhere", "505874924095815681", second), second);
  assert.equal(importedTime("twitter", "12345", second), second);
  assert.equal(importedTime("twitter", "605874924095815681", second), second);
});

Content.run();
