import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { untilAccepted } from "../support/until-accepted.ts";

const Publish = suite("publish status");
let services: TestServices;
let author: bigint;

useSharedServices(Publish, (shared) => (services = shared));
Publish.before(async () => {
  author = await register(services, "Author", { displayName: "The Author" });
});

type Request = Partial<Parameters<TestServices["clients"]["statuses"]["publishStatus"]>[0]>;

async function publish(request: Request) {
  const { status } = await services.clients.statuses.publishStatus({
    requestId: randomUUID(),
    authorId: author,
    text: "",
    ...request,
  });
  if (status === undefined) throw new Error("no status");
  return status;
}

async function timeline(screenName = "author") {
  return services.clients.social.socialTimelines({ screenName });
}

Publish("shows the status in the next read as the newest, and counts it", async () => {
  const first = await publish({ text: "one" });
  const second = await publish({ text: "two", source: "<b>x</b>" });
  const { results, author: shown } = await timeline();
  assert.equal(
    results.slice(0, 2).map(({ id, text, source }) => ({ id, text, source })),
    [
      { id: second.id, text: "two", source: "<b>x</b>" },
      { id: first.id, text: "one", source: "Roost" },
    ],
  );
  assert.is(shown?.statusesCount, results.length);
  const [profile] = (await services.clients.social.socialUsers({ screenNames: ["author"] })).results;
  assert.is(profile?.status?.id, second.id);
  assert.is(profile?.status?.user, undefined);
});

Publish("finds links, mentions of known users and hashtags, in code points", async () => {
  await register(services, "Reader", { displayName: "A Reader" });
  const { entities } = await publish({ text: "😀 @READER and @nobody: see https://example.com/a #été" });
  assert.equal(
    entities?.userMentions.map(({ screenName, name, indices }) => ({ screenName, name, indices })),
    [{ screenName: "Reader", name: "A Reader", indices: [2, 9] }],
  );
  assert.equal(
    entities?.urls.map(({ url, expandedUrl, displayUrl, indices }) => ({ url, expandedUrl, displayUrl, indices })),
    [
      {
        url: "https://example.com/a",
        expandedUrl: "https://example.com/a",
        displayUrl: "example.com/a",
        indices: [27, 48],
      },
    ],
  );
  assert.equal(
    entities?.hashtags.map(({ text, indices }) => ({ text, indices })),
    [{ text: "été", indices: [49, 53] }],
  );
});

Publish("stores the answered status and the place", async () => {
  const asker = await register(services, "Asker", { displayName: "Asker" });
  const question = await publish({ authorId: asker, text: "?" });
  await services.clients.profiles.updateProfile({
    userId: author,
    profile: { geoEnabled: true },
    updateMask: { paths: ["geo_enabled"] },
  });
  await publish({
    text: "😀 look: http://x.co/a",
    inReplyTo: { authorId: asker, id: question.id },
    point: { latitude: 51.5, longitude: -0.125 },
  });
  const [status] = (await timeline()).results;
  assert.is(status?.inReplyToStatusId, question.id);
  assert.is(status?.inReplyToUserId, asker);
  assert.is(status?.inReplyToScreenName, "Asker");
  assert.equal(status?.geo?.coordinates, [51.5, -0.125]);
  assert.equal(status?.coordinates?.coordinates, [-0.125, 51.5]);
});

Publish("publishes a repeated request once, also when both are sent concurrently", async () => {
  const requestId = randomUUID();
  const [one, two] = await Promise.all([publish({ requestId, text: "same" }), publish({ requestId, text: "same" })]);
  const three = await publish({ requestId: requestId.toUpperCase(), text: "same" });
  assert.is(one.id, two.id);
  assert.is(three.id, one.id);
  const { results, author: shown } = await timeline();
  assert.is(results.filter(({ text }) => text === "same").length, 1);
  assert.is(shown?.statusesCount, results.length);
});

Publish("refuses another status under a used request id", async () => {
  const requestId = randomUUID();
  await publish({ requestId, text: "first" });
  const refusal = await refusalOf(publish({ requestId, text: "second" }));
  assert.equal([refusal.code, refusal.fields], ["InvalidArgument", ["requestId Equal"]]);
});

Publish("gives concurrent statuses of one author different ids in the order of their commits", async () => {
  const busy = await register(services, "busy", { displayName: "busy" });
  const seen: bigint[] = [];
  let newest = 0n;
  let writing = true;
  // A reader that polls with sinceId, which must not miss a status (contract §8).
  const reader = (async () => {
    for (let last = false; !last; ) {
      last = !writing;
      const { results } = await services.clients.social.socialTimelines({
        screenName: "busy",
        sinceId: newest,
        take: 200n,
      });
      seen.push(...results.map(({ id }) => id).toReversed());
      newest = results[0]?.id ?? newest;
    }
  })();
  const published = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      untilAccepted(() => publish({ authorId: busy, text: `status ${index}` })),
    ),
  ).finally(() => (writing = false));
  await reader;
  const sorted = published.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
  assert.is(new Set(sorted).size, 150);
  assert.equal(seen, sorted);
});

Publish("never gives an id at or below the author's watermark, whatever the clock says", async () => {
  const future = await register(services, "future", { displayName: "future" });
  const watermark = 2n ** 52n;
  await services.database.query("update social.profile set id_watermark = $1 where user_id = $2", [watermark, future]);
  assert.is((await publish({ authorId: future, text: "later" })).id, watermark + 1n);
  assert.is((await publish({ authorId: future, text: "later still" })).id, watermark + 2n);
});

Publish("refuses invalid fields and changes nothing", async () => {
  const before = await timeline();
  const placeless = await register(services, "placeless", { displayName: "placeless" });
  const cases: [Request, string, string[]][] = [
    [{ text: "" }, "InvalidArgument", ["text NotEmpty"]],
    [{ text: "x".repeat(281) }, "InvalidArgument", ["text Length"]],
    [{ text: "a\u0000b" }, "InvalidArgument", ["text RegularExpression"]],
    [{ text: "x", requestId: "1" }, "InvalidArgument", ["requestId RegularExpression"]],
    [{ text: "x", authorId: 0n }, "Unauthenticated", []],
    [{ text: "x", point: { latitude: 91, longitude: 0 } }, "InvalidArgument", ["latitude InclusiveBetween"]],
    [{ text: "x", point: { latitude: Number.NaN, longitude: 0 } }, "InvalidArgument", ["latitude InclusiveBetween"]],
    [{ text: "x", source: "😀".repeat(256) }, "InvalidArgument", ["source Length"]],
    [{ text: "x", authorId: 7n }, "Unavailable", []],
    [{ text: "x", inReplyTo: { authorId: author, id: 1n } }, "NotFound", []],
    [{ text: "x", authorId: placeless, point: { latitude: 0, longitude: 0 } }, "PermissionDenied", []],
  ];
  for (const [request, code, fields] of cases) {
    const refusal = await refusalOf(publish(request));
    assert.equal([refusal.code, refusal.fields], [code, fields], JSON.stringify(fields));
  }
  assert.equal(await timeline(), before);
});

Publish("accepts 280 weighted characters: links count 23, emoji and Chinese 2", async () => {
  const link = `https://example.com/${"a".repeat(300)}`;
  for (const text of ["😀".repeat(140), "語".repeat(140), "a".repeat(280), `${link} ${"a".repeat(256)}`]) {
    assert.is((await publish({ text })).text, text);
    assert.equal((await refusalOf(publish({ text: `${text}b` }))).fields, ["text Length"]);
  }
  const endless = `https://example.com/${"a".repeat(4_090)}`;
  assert.equal((await refusalOf(publish({ text: endless }))).fields, ["text Length"]);
});

Publish.run();
