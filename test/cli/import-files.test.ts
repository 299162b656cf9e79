import * as assert from "uvu/assert";
import type { JsonObject } from "../../cli/json/json.ts";
import { ImportOutcome } from "../../proto/gen/social/v1/import_service_pb.ts";
import { valuesOf } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { importItems, importTexts } from "./import-run.ts";
import { recordingServices, userIdOf } from "./recording-services.ts";
import { twitterStatus, twitterUser, without } from "./samples.ts";

const Import = suite("cli: import");

Import("claims an account for every author, then stores the profile under the user id given", async () => {
  const services = await importItems([twitterStatus("10"), twitterStatus("11", { user: twitterUser("2") })]);
  assert.equal(
    services.calls.map(({ method, request }) => `${method} ${request.origin}`),
    ["ClaimAccounts twitter", "ImportProfiles twitter", "ImportStatuses twitter"],
  );
  const [claim] = services.claims();
  assert.equal([claim?.originId, claim?.userName, claim?.displayName], ["1", "user1", "Name 1"]);
  assert.is(claim?.createdAt?.seconds, BigInt(Date.UTC(2008, 7, 27, 13, 8, 45) / 1000));
  const profiles = services.profiles().map(({ userId, originId, profile }) => [userId, originId, profile?.screenName]);
  assert.equal(profiles, [
    [userIdOf("1"), "1", "user1"],
    [userIdOf("2"), "2", "user2"],
  ]);
  assert.equal(authorsOf(services), { 10: userIdOf("1"), 11: userIdOf("2") });
});

/** The author of each status that was sent, by its id. */
const authorsOf = (services: ReturnType<typeof recordingServices>) =>
  Object.fromEntries(services.statuses().map(({ originId, authorId }) => [originId, authorId]));

Import("reads every form of file: lists of statuses or users, and objects with such lists", async () => {
  const status = twitterStatus("10");
  const user = twitterUser("2", { status: without(twitterStatus("11"), "user") });
  const ours = { ...without(status, "id_str"), id: 10, user: { ...without(twitterUser("1"), "id_str"), id: "1" } };
  const cases: [unknown, string[], string[]][] = [
    [[status], ["1"], ["10"]],
    [{ statuses: [status], search_metadata: { count: 1 } }, ["1"], ["10"]],
    [{ results: [status] }, ["1"], ["10"]],
    [{ results: [ours] }, ["1"], ["10"]],
    [{ results: [user] }, ["2"], ["11"]],
    [[user], ["2"], ["11"]],
    [{ users: [user] }, ["2"], ["11"]],
    [[], [], []],
  ];
  for (const [shape, people, statuses] of cases) {
    const { refusals, userIds, statusIds } = await importTexts({ "file.json": JSON.stringify(shape) });
    assert.equal([refusals, userIds(), statusIds()], [[], people, statuses]);
  }
});

Import("sends all digits of large ids", async () => {
  const { statuses, userIds } = await importTexts({
    "file.json": `[{"id":505874924095815681,"text":"a","created_at":"Sun Aug 31 00:29:15 +0000 2014",
      "in_reply_to_status_id":505874924095815679,"in_reply_to_user_id":905874924095815677,
      "user":{"id":905874924095815675,"screen_name":"a","created_at":"Wed Aug 27 13:08:45 +0000 2008"}}]`,
  });
  const [status] = statuses();
  assert.equal(
    [status?.originId, status?.inReplyToStatusOriginId, status?.inReplyToUserOriginId],
    ["505874924095815681", "505874924095815679", "905874924095815677"],
  );
  assert.equal(userIds(), ["905874924095815675"]);
});

Import("imports retweeted and quoted statuses and their authors, at any depth", async () => {
  const quoted = twitterStatus("8", { user: twitterUser("4") });
  const retweeted = twitterStatus("9", { user: twitterUser("3"), quoted_status: quoted });
  const { summary, ...services } = await importItems([twitterStatus("10", { retweeted_status: retweeted })]);
  assert.equal(authorsOf(services), { 8: userIdOf("4"), 9: userIdOf("3"), 10: userIdOf("1") });
  assert.equal([summary.users.added, summary.statuses.added, summary.total.added], [3, 3, 6]);
});

Import("sends all users before the first status, and both in the order of their ids", async () => {
  const ids = ["1000", "99", "505874924095815681", "505874924095815680", "7"];
  const { statusIds, userIds, calls } = await importItems(
    ids.map((id, index) => twitterStatus(id, { user: twitterUser(["30", "5", "12"][index % 3] as string) })),
  );
  assert.equal(statusIds(), ["7", "99", "1000", "505874924095815680", "505874924095815681"]);
  assert.equal(userIds(), ["5", "12", "30"]);
  const methods = valuesOf(calls, "method");
  assert.ok(methods.lastIndexOf("ImportProfiles") < methods.indexOf("ImportStatuses"));
});

const seenAt = (second: number) => ({ created_at: `Sun Aug 31 00:29:${second} +0000 2014` });
const named = (name: string, fields: JsonObject = {}) => twitterUser("1", { name, ...fields });

Import("imports the embedded record of the newest status, wherever that is in the file", async () => {
  const seen = (id: string, second: number, name: string) =>
    twitterStatus(id, {
      ...seenAt(second),
      user: named(name),
      retweeted_status: twitterStatus("5", { user: twitterUser("2"), text: name }),
    });
  const { summary, profiles, statuses } = await importItems([
    seen("40", 15, "older, larger id"),
    seen("30", 17, "newest"),
    seen("29", 17, "as old, smaller id"),
    seen("10", 14, "oldest"),
  ]);
  assert.is(profiles().find(({ originId }) => originId === "1")?.profile?.name, "newest");
  assert.is(statuses().find(({ originId }) => originId === "5")?.status?.text, "newest");
  assert.equal([summary.users.added, summary.statuses.added], [2, 5]);
});

for (const [which, items] of [
  [
    "that a newer status repeats, whatever other statuses say",
    [
      twitterStatus("5", { user: named("right") }),
      twitterStatus("9", { user: named("right") }),
      twitterStatus("7", { user: named("other") }),
    ],
  ],
  [
    "with the newest status, in a list of users",
    [
      named("right", { status: twitterStatus("9", seenAt(15)) }),
      named("older", { status: twitterStatus("9", seenAt(14)) }),
      named("no status"),
    ],
  ],
  ["that comes later, without a status", [named("first"), named("right")]],
] as const) {
  Import(`imports of a user the record ${which}`, async () => {
    const { profiles } = await importItems(items);
    assert.is(profiles()[0]?.profile?.name, "right");
  });
}

Import("imports the record of the later file when two files have the same", async () => {
  const older = named("older", { status: twitterStatus("20", { text: "older" }) });
  const newer = named("newer", { status: twitterStatus("20", { text: "newer", ...seenAt(14) }) });
  const { profiles, statuses } = await importTexts({
    "b.json": JSON.stringify([older]),
    "a.json": JSON.stringify([newer]),
  });
  assert.is(profiles()[0]?.profile?.name, "newer");
  assert.is(statuses()[0]?.status?.text, "newer");
});

Import("makes the same calls when it is repeated", async () => {
  const items = [twitterStatus("9"), twitterUser("4", { status: twitterStatus("3") }), twitterStatus("12"), { no: 1 }];
  const [first, second] = [await importItems(items), await importItems(items)];
  assert.is(first.calls.length, 3);
  assert.equal(first.calls, second.calls);
});

Import("counts the outcomes of users, of statuses and of both together", async () => {
  const services = recordingServices({
    profile: ({ originId }) => (originId === "1" ? ImportOutcome.UNCHANGED : ImportOutcome.UPDATED),
    status: ({ originId }) => (originId === "10" ? ImportOutcome.UNCHANGED : ImportOutcome.ADDED),
  });
  const items = [
    twitterStatus("10"),
    twitterStatus("11", { user: twitterUser("2") }),
    twitterStatus("12", { user: twitterUser("3"), text: null }),
    17,
  ];
  const { summary } = await importItems(items, services);
  assert.equal(summary, {
    users: { added: 0, updated: 2, unchanged: 1, refused: 0 },
    statuses: { added: 1, updated: 0, unchanged: 1, refused: 1 },
    total: { added: 1, updated: 2, unchanged: 2, refused: 2 },
    leftOut: {},
    defaulted: {},
  });
});

Import("leaves out embedded statuses without an author, and counts each once", async () => {
  const bare = (id: string, fields = {}) => ({ ...without(twitterStatus(id), "user"), ...fields });
  const { refusals, summary, statusIds } = await importItems([
    twitterUser("1", { status: bare("20", { retweeted_status: bare("5") }) }),
    twitterStatus("21", { user: twitterUser("2"), retweeted_status: bare("5", { text: null }) }),
    twitterStatus("22", { quoted_status: bare("6", { user: null, quoted_status: twitterStatus("7") }) }),
    // Complete elsewhere in the file: nothing is left out.
    twitterStatus("23", { quoted_status: bare("21") }),
    // An author by id only, as with trim_user, and without a record elsewhere.
    twitterStatus("24", { retweeted_status: bare("8", { user: { id: 99, id_str: "99" } }) }),
    twitterStatus("25", { quoted_status: bare("", { id: null, id_str: null }) }),
  ]);
  assert.equal(refusals, []);
  assert.equal(statusIds().toSorted(), ["20", "21", "22", "23", "24", "25", "7"]);
  assert.equal(summary.leftOut, { "embedded statuses without their user": 4 });
  assert.is(summary.statuses.refused, 0);
});

Import("refuses a status without its user when it is an item of the file, not embedded", async () => {
  const trimmed = twitterStatus("9", { user: { id: 99, id_str: "99" } });
  const items = [trimmed, twitterStatus("10", { retweeted_status: trimmed }), without(twitterStatus("11"), "user")];
  const { refusals, summary } = await importItems(items);
  assert.equal(refusals, ["list[2]: user is missing", "list[1].retweeted_status: its author 99 is in no file"]);
  assert.equal(summary.leftOut, {});
});

Import.run();
