import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Reads = suite("social reads");
const services = useServices(Reads);
const ids: Record<string, bigint> = {};
const published: bigint[] = [];

Reads.before(async () => {
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

async function publish(authorId: bigint | undefined, text: string): Promise<bigint> {
  const { status } = await services.clients.statuses.publishStatus({
    requestId: randomUUID(),
    authorId: authorId ?? 0n,
    text,
  });
  return status?.id ?? 0n;
}

Reads("return the author once, also with an empty page", async () => {
  const { results, author } = await services.clients.social.socialTimelines({ screenName: "CAT" });
  assert.equal([results.length, author?.screenName], [0, "Cat"]);
  const ann = await services.clients.social.socialTimelines({ screenName: "ann" });
  assert.ok(ann.results.every((status) => status.user === undefined));
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
