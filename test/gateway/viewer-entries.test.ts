import { create, type DescField, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Viewer } from "../../gateway/cache/pages/viewer-pages.ts";
import { createEntryCache } from "../../gateway/cache/reads/cached-entries.ts";
import type { ReadOperation } from "../../gateway/cache/reads/cached-read.ts";
import { createViewerEntries, type ViewerEntry } from "../../gateway/cache/reads/viewer-entries.ts";
import { JsonList } from "../../gateway/rendering/assembled-bytes.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { SocialService, SocialUsersResponseSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { entryUsersHeader, viewerHeader, viewerStateHeader } from "../../services/platform/connect/identity.ts";
import { absentToken } from "../../services/platform/freshness/absent-token.ts";
import { viewerWith as viewer } from "./viewer-with.ts";

const Entries = suite("entries of viewers");

const method = SocialService.method.socialUsers;
const deadline = performance.now() + 10_000;

/** The entry of the user in state s1, as it was made for a viewer in this state. */
function entry(own: string | undefined, userIds: readonly string[] | undefined): ViewerEntry {
  return { fragment: { bytes: Buffer.from(`for ${own}`), token: "s1" }, own, userIds };
}

type Answer = { users: MessageInitShape<typeof ProfileResultSchema>[]; headers: Record<string, string> };

/** @param answer of the service to a viewer who asks for these names */
function open(
  answer: (viewer: string, names: readonly string[]) => Answer | Promise<Answer> = async () =>
    Promise.reject(new Error("not asked")),
) {
  const calls: string[] = [];
  const call: ReadOperation["call"] = async (request, header) => {
    const names = (request as unknown as { screenNames: string[] }).screenNames;
    const asker = header[viewerHeader] as string;
    calls.push(`${asker}: ${names}`);
    const { users, headers } = await answer(asker, names);
    const results = users.map((user) => create(ProfileResultSchema, user));
    return {
      wire: toBinary(SocialUsersResponseSchema, create(SocialUsersResponseSchema, { results })),
      header: new Headers(headers),
    };
  };
  const field = (name: string) => ProfileResultSchema.fields.find((one) => one.name === name) as DescField;
  const subjects = method.input.fields.find(({ name }) => name === "screen_names") as DescField;
  const fields = { subject: field("screen_name"), state: field("freshness") };
  const join = (bytes: readonly Buffer[]) => new JsonList(bytes);
  const operation = { name: "SocialUsers", method, call };
  const counts = { made: { value: 0 } } as Parameters<typeof createViewerEntries>[6];
  const entries = createViewerEntries(operation, subjects, fields, join, createEntryCache(100_000), 100_000, counts);
  const read = (reader: Viewer) => {
    const [key] = entries.keysOf(["s1"], reader);
    return key === undefined ? undefined : entries.find(key)?.bytes.toString();
  };
  return { entries, read, calls };
}

Entries("are shared by viewers with the same relations to the users in them", () => {
  const { entries, read } = open();
  const follows = { 7: "f", 9: "b" };
  assert.is(read(viewer("a1")), undefined);
  entries.store(entry("a1", ["7", "8"]), viewer("a1", follows));
  assert.is(read(viewer("b1", follows)), "for a1");
  assert.is(read(viewer("c1", { 7: "f" })), "for a1");
  const others: Record<string, string>[] = [{}, { 7: "n" }, { 7: "f", 8: "m" }, { 8: "f" }];
  for (const other of others) assert.is(read(viewer("d1", other)), undefined, JSON.stringify(other));
});

Entries("that show another state of the viewer than the relations are shared with no viewer", () => {
  const { entries, read } = open();
  entries.store(entry("a2", ["7"]), viewer("a1", { 7: "f" }));
  assert.is(read(viewer("a1", { 7: "f" })), undefined);
  assert.is(read(viewer("b1", { 7: "f" })), undefined);
  assert.is(read({ token: "a2", relations: undefined }), "for a2");
});

Entries("whose users or relations are not known are those of one viewer in one state", () => {
  const { entries, read } = open();
  const unknown = (token: string): Viewer => ({ token, relations: undefined });
  entries.store(entry("a1", ["7"]), unknown("a1"));
  assert.equal([read(unknown("a1")), read(unknown("a2")), read(viewer("b1"))], ["for a1", undefined, undefined]);
  entries.store(entry("c1", undefined), viewer("c1"));
  assert.equal([read(viewer("c1")), read(viewer("c2")), read(viewer("d1"))], ["for c1", undefined, undefined]);
  assert.is(entries.store(entry(undefined, ["7"]), viewer("e1")), undefined);
});

Entries("of unknown and suspended users need no key of the viewer", () => {
  const { entries } = open();
  assert.equal(entries.keysOf([absentToken, "s1"], viewer("a1")), [absentToken, undefined]);
});

const named = (screenName: string) => ({ screenName, freshness: `state of ${screenName}` });

Entries("are asked for once for each viewer of a turn, with the users of each", async () => {
  const { entries, calls } = open((asker, names) => ({
    users: names.filter((name) => name !== "gone").map((name) => named(name.toUpperCase())),
    headers: { [viewerStateHeader]: `state of ${asker}`, [entryUsersHeader]: "1;3,2" },
  }));
  const [first, second, other] = await Promise.all([
    entries.load("5", ["ann", "gone"], deadline),
    entries.load("5", ["bea", "ann"], deadline),
    entries.load("6", ["ann", "bea"], deadline),
  ]);
  assert.equal(calls, ["5: ann,gone,bea", "6: ann,bea"]);
  assert.equal(
    first?.map(({ fragment, own, userIds }) => [fragment?.token, own, userIds]),
    [
      ["state of ANN", "state of 5", ["1", "3"]],
      [undefined, "state of 5", undefined],
    ],
  );
  assert.equal(
    second?.map(({ userIds }) => userIds),
    [["2"], ["1", "3"]],
  );
  assert.equal(
    other?.map(({ own }) => own),
    ["state of 6", "state of 6"],
  );
});

Entries("have no users where the service does not name those of each entry", async () => {
  for (const groups of ["1", "1,2,3"]) {
    const { entries } = open((_asker, names) => ({
      users: names.map(named),
      headers: { [viewerStateHeader]: "a1", [entryUsersHeader]: groups },
    }));
    assert.equal(
      (await entries.load("5", ["ann", "bea"], deadline)).map(({ userIds }) => userIds),
      [undefined, undefined],
    );
  }
});

Entries("that cannot be loaded for one viewer are loaded for another one in the same turn", async () => {
  const { entries } = open((asker, names) => {
    if (asker === "5") throw new Error("refused");
    return { users: names.map(named), headers: {} };
  });
  const [refused, loaded] = await Promise.allSettled([
    entries.load("5", ["ann"], deadline),
    entries.load("6", ["ann"], deadline),
  ]);
  assert.equal([refused?.status, loaded?.status], ["rejected", "fulfilled"]);
});

Entries.run();
