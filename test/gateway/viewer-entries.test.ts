import * as assert from "uvu/assert";
import type { Viewer } from "../../gateway/cache/pages/viewer-part.ts";
import type { ViewerEntry } from "../../gateway/cache/reads/viewer-entries.ts";
import { entryUsersHeader, viewerStateHeader } from "../../services/platform/connect/identity.ts";
import { absentToken } from "../../services/platform/freshness/absent-token.ts";
import { suite } from "../support/suite.ts";
import { openViewerEntries as open } from "./open-viewer-entries.ts";
import { viewerWith as viewer } from "./viewer-with.ts";

const Entries = suite("entries of viewers");

const deadline = performance.now() + 10_000;

/** The entry of the user in state s1, as it was made for a viewer in this state. */
function entry(own: string | undefined, userIds: readonly string[] | undefined): ViewerEntry {
  return { json: { bytes: Buffer.from(`for ${own}`), token: "s1" }, own, ownSeen: own, userIds };
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
    first?.map(({ json, own, userIds }) => [json?.token, own, userIds]),
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
