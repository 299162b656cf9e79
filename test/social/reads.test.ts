import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Reads = suite("social reads");
let services: TestServices;
const ids: Record<string, bigint> = {};
const published: bigint[] = [];

Reads.before(async () => {
  services = await startTestServices();
  for (const userName of ["Ann", "Bea", "Cat", "Shy"]) {
    ids[userName] = await register(services, userName);
  }
  for (let index = 0; index < 5; index++) published.unshift(await publish(ids.Ann, `ann ${index}`));
  await publish(ids.Shy, "whispered");
  await services.clients.profiles.updateProfile({
    userId: ids.Shy ?? 0n,
    profile: { protected: true },
    updateMask: { paths: ["protected"] },
  });
});
Reads.after(() => services.stop());

async function publish(authorId: bigint | undefined, text: string): Promise<bigint> {
  const { status } = await services.clients.statuses.publishStatus({
    requestId: randomUUID(),
    authorId: authorId ?? 0n,
    text,
  });
  return status?.id ?? 0n;
}

async function users(userIds: (bigint | undefined)[], screenNames: string[]): Promise<string[]> {
  const request = { userIds: userIds.map((id) => id ?? 0n), screenNames };
  return (await services.clients.social.socialUsers(request)).results.map((user) => user.screenName);
}

async function page(request: { take?: bigint; sinceId?: bigint; maxId?: bigint }): Promise<bigint[]> {
  const { results } = await services.clients.social.socialTimelines({ screenName: "ann", ...request });
  return results.map(({ id }) => id);
}

Reads("return users in the order of ids and then names, each once, without unknown ones", async () => {
  assert.equal(await users([ids.Cat, 1n, ids.Ann], ["BEA", "nobody", "cat", "bea"]), ["Cat", "Ann", "Bea"]);
  assert.equal(await users([], []), []);
});

Reads("refuse more than 1,000 entries, of both lists together", async () => {
  const names = (length: number) => Array.from({ length }, (_, index) => `n${index}`);
  assert.equal(await users([], names(1_000)), []);
  assert.equal((await refusalOf(users([], names(1_001)))).fields, ["screenNames InclusiveBetween"]);
  assert.equal((await refusalOf(users([1n], names(1_000)))).fields, ["screenNames InclusiveBetween"]);
  assert.equal(
    (
      await refusalOf(
        users(
          names(1_001).map(() => 1n),
          [],
        ),
      )
    ).fields,
    ["userIds InclusiveBetween"],
  );
});

Reads("page a timeline: sinceId exclusive, maxId inclusive, newest first", async () => {
  assert.equal(await page({}), published);
  assert.equal(await page({ take: 2n }), published.slice(0, 2));
  assert.equal(await page({ sinceId: published[2] }), published.slice(0, 2));
  assert.equal(await page({ maxId: published[2] }), published.slice(2));
  assert.equal(await page({ maxId: published[1], sinceId: published[3] }), published.slice(1, 3));
  assert.equal(await page({ maxId: 0n }), []);
});

Reads("return the author once, also with an empty page", async () => {
  const { results, author } = await services.clients.social.socialTimelines({ screenName: "CAT" });
  assert.equal([results.length, author?.screenName], [0, "Cat"]);
  const ann = await services.clients.social.socialTimelines({ screenName: "ann" });
  assert.ok(ann.results.every((status) => status.user === undefined));
});

Reads("refuse invalid paging with all invalid fields", async () => {
  const refusal = async (request: object) => {
    const { code, fields } = await refusalOf(
      services.clients.social.socialTimelines({ screenName: "ann", ...request }),
    );
    return [code, ...fields];
  };
  assert.equal(await refusal({ take: 0n, sinceId: -1n, maxId: 2n ** 53n }), [
    "InvalidArgument",
    "take InclusiveBetween",
    "sinceId InclusiveBetween",
    "maxId InclusiveBetween",
  ]);
  assert.equal(await refusal({ screenName: " " }), ["InvalidArgument", "screenName NotEmpty"]);
  assert.equal(await refusal({ screenName: "nobody" }), ["NotFound"]);
});

Reads("show anonymous callers a protected user's profile without the status, and refuse the timeline", async () => {
  const [shy] = (await services.clients.social.socialUsers({ screenNames: ["shy"] })).results;
  assert.equal([shy?.protected, shy?.statusesCount, shy?.status], [true, 1, undefined]);
  const refusal = await refusalOf(services.clients.social.socialTimelines({ screenName: "shy" }));
  assert.equal([refusal.code, refusal.errorCode], ["Unauthenticated", "Unauthorized"]);
});

Reads("answer Unavailable, not a defect, while the database is unavailable", async () => {
  const refusal = await services.database.whileUnavailable("social", () => refusalOf(users([], ["ann"])));
  assert.is(refusal.code, "Unavailable");
  assert.equal(await users([], ["ann"]), ["Ann"]);
});

Reads("list several pages in the requested order, empty where an anonymous caller may not read", async () => {
  const { listTimelines } = services.clients.social;
  const asked = [
    { screenName: "ANN", take: 2n },
    { screenName: "shy" },
    { screenName: "nobody" },
    { screenName: "ann", take: 0n },
    { screenName: "cat" },
    { screenName: "ann", maxId: published[1], take: 1n },
  ];
  const { results } = await listTimelines({ requests: asked });
  assert.equal(
    results.map(({ timeline }) => timeline && [timeline.author?.screenName, timeline.results.map(({ id }) => id)]),
    [["Ann", published.slice(0, 2)], undefined, undefined, undefined, ["Cat", []], ["Ann", [published[1]]]],
  );
  assert.equal(results[0]?.timeline, await services.clients.social.socialTimelines(asked[0] as object));
  assert.equal((await listTimelines({ requests: [] })).results, []);
  const tooMany = { requests: Array.from({ length: 201 }, () => ({ screenName: "ann" })) };
  assert.equal((await refusalOf(listTimelines(tooMany))).fields, ["requests InclusiveBetween"]);
});

Reads("list pages for several viewers, each as SocialTimelines shows it to its viewer", async () => {
  const { listTimelines, socialTimelines } = services.clients.social;
  const asked = [
    { viewer: ids.Shy, screenName: "shy" },
    { viewer: ids.Bea, screenName: "shy" },
    { viewer: ids.Bea, screenName: "ann" },
    { viewer: 0n, screenName: "ann" },
  ];
  const requests = asked.map(({ screenName }) => ({ screenName }));
  const { results } = await listTimelines({ requests, viewerIds: asked.map(({ viewer = 0n }) => viewer) });
  for (const [index, { viewer = 0n, screenName }] of asked.entries()) {
    if (index === 1) continue;
    const replied = new Headers();
    const onHeader = (header: Headers) => header.forEach((value, name) => replied.set(name, value));
    const headers = viewer === 0n ? {} : { [viewerHeader]: `${viewer}` };
    assert.equal(results[index]?.timeline, await socialTimelines({ screenName }, { headers, onHeader }));
    assert.is(results[index]?.viewerVersion, replied.get(viewerVersionHeader) ?? "");
    assert.is(results[index]?.shownUsers, replied.get(shownUsersHeader) ?? "");
  }
  assert.equal(
    results.map(({ timeline, viewerVersion }) => [timeline?.results[0]?.text, viewerVersion !== ""]),
    [
      ["whispered", true],
      [undefined, false],
      ["ann 4", true],
      ["ann 4", false],
    ],
  );
});

Reads.run();
