import { create, fromBinary, ScalarType, toBinary } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { PeopleService } from "../../proto/gen/social/people/v1/people_service_pb.ts";
import {
  SocialService,
  SocialTimelinesRequestSchema,
  SocialTimelinesResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { setViewerState, viewerStateOf } from "../../services/social/rpc/viewer-reads.ts";
import { as, protect, publish, register, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Reads = suite("social reads");
const services = useServices(Reads);
const ids: Record<string, bigint> = {};

Reads.before(async () => {
  for (const userName of ["Ann", "Bea", "Cat", "Shy"]) ids[userName] = await register(services, userName);
  for (let index = 0; index < 5; index++) await publish(services, ids.Ann ?? 0n, `ann ${index}`);
  await publish(services, ids.Shy ?? 0n, "whispered");
  await protect(services, { id: ids.Shy ?? 0n });
});

Reads("answer several reads in one call, each as alone for its viewer, and leave out what is refused", async () => {
  const { clients } = services;
  const { typeName, method } = SocialService;
  const rpc = `${typeName}/${method.socialTimelines.name}`;
  const asked: [viewer: bigint | undefined, request: { screenName: string; take?: bigint }][] = [
    [undefined, { screenName: "ANN", take: 2n }],
    [ids.Shy, { screenName: "shy" }],
    [ids.Bea, { screenName: "shy" }],
    [ids.Bea, { screenName: "ann" }],
    [undefined, { screenName: "nobody" }],
    [undefined, { screenName: "cat" }],
  ];
  services.logged.length = 0;
  const headerOf = (viewer?: bigint): Record<string, string> => (viewer ? { [viewerHeader]: `${viewer}` } : {});
  const { answers } = await clients.reads.readMany({
    reads: [
      ...asked.map(([viewer, request]) => ({
        rpc,
        message: toBinary(SocialTimelinesRequestSchema, create(SocialTimelinesRequestSchema, request)),
        header: headerOf(viewer),
      })),
      // What is no request, no read, for services, for another user.
      { rpc, message: Buffer.from([1]) },
      { rpc: `${PeopleService.typeName}/PublishStatus` },
      { rpc: "social.v1.VersionService/ListVersions" },
      { rpc: `${PeopleService.typeName}/SocialHome`, header: headerOf(ids.Ann) },
    ],
  });
  const refused: number[] = [];
  for (const [index, { message, header }] of answers.entries()) {
    const [viewer, request] = asked[index] ?? [];
    if (message === undefined || request === undefined) {
      refused.push(index);
      continue;
    }
    const replied = new Headers();
    const onHeader = (given: Headers) => given.forEach((value, name) => replied.set(name, value));
    const alone = await clients.social.socialTimelines(request, { headers: headerOf(viewer), onHeader });
    assert.equal(fromBinary(SocialTimelinesResponseSchema, message), alone);
    for (const name of [viewerVersionHeader, shownUsersHeader]) assert.is(header[name] ?? null, replied.get(name));
    assert.is(header[viewerVersionHeader] !== undefined, viewer !== undefined);
  }
  assert.equal(refused, [2, 4, 6, 7, 8, 9]);
  const callers = services.logged.flatMap((line) => (line.rpc === rpc ? [line.caller] : []));
  assert.ok(callers.length > asked.length && callers.every((caller) => caller === "test"), String(callers));
  const tooMany = { reads: Array.from({ length: 201 }, () => ({ rpc })) };
  assert.equal((await refusalOf(clients.reads.readMany(tooMany))).fields, ["reads InclusiveBetween"]);
});

Reads.run();

const ViewerState = suite("the version of the viewer that a reply names");
const rowOf = (version: number | null, isOneRead = true) => ({
  viewer_version: version === null ? null : `${version}`,
  viewer_epoch: version === null ? null : "1",
  is_one_read: isOneRead,
});

/** The headers that name the state and the shown users. */
function namedBy(viewer: bigint | undefined, rows: ReturnType<typeof rowOf>[], userIds?: bigint[]) {
  const header = new Headers();
  setViewerState(header, viewerStateOf(viewer, rows, userIds));
  return [header.get(viewerVersionHeader), header.get(shownUsersHeader)];
}

const ids251 = Array.from({ length: 251 }, (_, index) => BigInt(index));
// A reply that was read in several states would be cached under one of them.
const states: [title: string, named: (string | null)[], ...of: Parameters<typeof namedBy>][] = [
  ["is that of all its rows, with each user once", ["7.3.0.1", "1,2"], 7n, [rowOf(3), rowOf(3)], [1n, 2n, 1n]],
  ["is not named where rows have other versions", [null, null], 7n, [rowOf(3), rowOf(4)], [1n]],
  ["is not named where a row has no version", [null, null], 7n, [rowOf(3), rowOf(null)], [1n]],
  ["is not named where the row was read in several statements", [null, null], 7n, [rowOf(10, false)], [1n]],
  ["is not named where one of the rows was", [null, null], 7n, [rowOf(10), rowOf(10, false)], [1n]],
  ["is not named by a reply without rows", [null, null], 7n, [], []],
  ["is not named by rows that were read for no viewer", [null, null], 7n, [rowOf(null)], [1n]],
  ["is not named for an anonymous caller", [null, null], undefined, [rowOf(3)], [1n]],
  ["is sent without users for a reply that is not cached", ["7.3.0.1", null], 7n, [rowOf(3)]],
  ["is sent without users where a header cannot hold them", ["7.3.0.1", null], 7n, [rowOf(3)], ids251],
  ["is sent with 250 users", ["7.4.0.1", `${ids251.slice(1)}`], 7n, [rowOf(4)], ids251.slice(1)],
];
for (const [title, named, ...of] of states) ViewerState(title, () => assert.equal(namedBy(...of), named));

ViewerState.run();

const Views = suite("views of users");
useServices(Views, {}, services);
const [author, stranger] = usePeople(Views, services, "ann", "bea");

/** The columns of a profile that are fields of a user, all but those that the test needs as they are. */
const fields = UserSummarySchema.fields.filter(
  ({ name }) => !["id", "screen_name", "notifications", "protected", "created_at"].includes(name),
);
/** A value by the type and the place of a field, so that none can take another one's place; and an empty one. */
const values: Partial<Record<ScalarType, (place: number) => unknown>> = {
  [ScalarType.STRING]: (place) => `é 😀 ${place}`,
  [ScalarType.BOOL]: () => true,
  [ScalarType.INT32]: (place) => place + 1,
};
const empty = { [ScalarType.STRING]: "", [ScalarType.BOOL]: false, [ScalarType.INT32]: 0 };
const nulls = { url: null, time_zone: null };

for (const [what, stored] of [
  ["values", fields.map(({ name, scalar }, place) => [name, values[scalar as ScalarType]?.(place)])],
  ["zeros", fields.map(({ name, scalar }) => [name, empty[scalar as keyof typeof empty]])],
  ["nulls", Object.entries(nulls)],
] as const) {
  Views(`have every stored field, for anonymous callers and viewers: ${what}`, async () => {
    const user: Record<string, unknown> = Object.fromEntries(stored);
    await services.database.query(
      `update social.profile set ${Object.keys(user).map((name) => `${name} = new.${name}`)}
       from jsonb_populate_record(null::social.profile, $2) as new where profile.user_id = $1`,
      [author.id, JSON.stringify(user)],
    );
    const { socialTimelines, socialUsers } = services.clients.social;
    for (const caller of [as(), as(stranger)]) {
      const shown = [
        (await socialTimelines({ screenName: author.name }, caller)).author,
        (await socialUsers({ screenNames: [author.name] }, caller)).results[0],
      ] as object[];
      for (const { name, localName } of fields.filter(({ name }) => name in user)) {
        for (const one of shown) assert.is(one[localName as keyof object], user[name] ?? undefined, name);
      }
    }
  });
}

Views.run();
