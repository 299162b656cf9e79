import type { MessageInitShape } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { type ImportedStatusSchema, ImportOutcome } from "../../proto/gen/social/v1/import_service_pb.ts";
import { enumName } from "../support/enum-name.ts";
import { person } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Content = suite("imported content");
let services: TestServices;

Content.before(async () => {
  services = await startTestServices();
});
Content.after(() => services.stop());

type Imported = MessageInitShape<typeof ImportedStatusSchema>;

async function importStatuses(authorId: bigint, ...statuses: Pick<Imported, "originId" | "status">[]) {
  const basics = { createdAt: "Wed Aug 27 13:08:45 +0000 2008", text: "t" };
  const filled = statuses.map((item) => ({ authorId, ...item, status: { ...basics, ...item.status } }) as Imported);
  const { results } = await services.clients.imports.importStatuses({ origin: "twitter", statuses: filled });
  return results.map(({ outcome, refusal }) => refusal || enumName(ImportOutcome, outcome));
}

async function timeline(screenName: string) {
  return (await services.clients.social.socialTimelines({ screenName })).results;
}

Content("is stored with every character of texts, sources and entities", async () => {
  const author = await person(services, "ann");
  const text = "tab\t, line\nline\r\n, \\N \\. \\\\t \\x41 \u2028 \u0001 \u007f é 😀 \"'";
  const status = {
    text,
    source: text,
    inReplyToScreenName: text,
    coordinates: { type: "Point", coordinates: [-0.5, 1e-7] },
    entities: { hashtags: [{ text, indices: [0, 1] }] },
  };
  assert.equal(await importStatuses(author.id, { originId: "1", status }), ["ADDED"]);
  const [shown] = await timeline(author.name);
  assert.equal(
    [shown?.text, shown?.source, shown?.inReplyToScreenName, shown?.entities?.hashtags[0]?.text],
    [text, text, text, text],
  );
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
