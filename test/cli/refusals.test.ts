import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { importItems, importTexts } from "./import-run.ts";
import { recordingServices } from "./recording-services.ts";
import { twitterStatus, twitterUser, without } from "./samples.ts";

const Refusals = suite("cli: refusals of an import");

Refusals("name the position of every invalid item, and the others are imported", async () => {
  const { refusals, summary, userIds, statusIds } = await importTexts({
    "file.json": JSON.stringify({
      statuses: [
        twitterStatus("10"),
        twitterStatus("11", { text: null, user: twitterUser("2") }),
        twitterStatus("12", { retweeted_status: twitterStatus("5", { created_at: "?" }) }),
        twitterStatus("13", { retweeted_status: twitterStatus("6", { user: twitterUser("3", { created_at: "?" }) }) }),
        twitterStatus("14", { quoted_status: 5 }),
        null,
      ],
    }),
  });
  assert.equal(refusals, [
    "file.json[1]: text is missing",
    'file.json[2].retweeted_status: created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"',
    'file.json[3].retweeted_status.user: created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"',
    "file.json[4].quoted_status: the status is not an object",
    "file.json[5]: the status is not an object",
    'file.json[3].retweeted_status: its author 3 was refused: created_at is not a date such as "Wed Aug 27 13:08:45 +0000 2008"',
  ]);
  assert.equal(userIds(), ["1", "2"]);
  assert.equal(statusIds(), ["10", "12", "13", "14"]);
  assert.equal([summary.users.refused, summary.statuses.refused, summary.total.refused], [1, 5, 6]);
});

Refusals("tell a user from the user's embedded status", async () => {
  const { refusals } = await importItems([
    twitterUser("1", { status: without(twitterStatus("10"), "user", "id", "id_str") }),
    twitterUser("2", { screen_name: null, status: without(twitterStatus("11"), "user") }),
    { neither: true },
  ]);
  assert.equal(refusals, [
    "list[0].status: id is missing",
    "list[1]: screen_name is missing",
    "list[2]: it is neither a status nor a user",
    "list[1].status: its author 2 was refused: screen_name is missing",
  ]);
});

Refusals("of one record of a user do not concern statuses while the user has another one", async () => {
  const { refusals, statusIds } = await importItems([
    twitterStatus("10", { user: { id: 1, id_str: "1" } }),
    twitterStatus("11", { user: twitterUser("1", { screen_name: 5 }) }),
    twitterStatus("12", { user: { id: 2, id_str: "2" } }),
    twitterUser("1"),
  ]);
  assert.equal(statusIds(), ["10", "11"]);
  assert.equal(refusals, ["list[1].user: screen_name is not a string", "list[2]: its author 2 is in no file"]);
});

Refusals("by the services are reported too; with an author all the author's statuses are refused", async () => {
  const services = recordingServices({
    claim: ({ userName }) => (userName === "user2" ? "UserName already exists" : undefined),
    profile: ({ originId }) => (originId === "3" ? "too odd" : 1),
    status: ({ originId }) => (originId === "13" ? "too old" : 1),
  });
  const items = [
    twitterStatus("10"),
    twitterStatus("11", { user: twitterUser("2") }),
    twitterStatus("12", { user: twitterUser("3") }),
    twitterStatus("13"),
  ];
  const { refusals, summary } = await importItems(items, services);
  assert.equal(services.userIds(), ["1", "3"]);
  assert.equal(services.statusIds(), ["10", "13"]);
  assert.equal(refusals, [
    "list[1].user: UserName already exists",
    "list[2].user: too odd",
    "list[1]: its author 2 was refused: UserName already exists",
    "list[2]: its author 3 was refused: too odd",
    "list[3]: too old",
  ]);
  assert.equal(summary.users, { added: 1, updated: 0, unchanged: 0, refused: 2 });
  assert.equal(summary.statuses, { added: 1, updated: 0, unchanged: 0, refused: 3 });
});

Refusals("of a truncated file count once, and everything before is imported", async () => {
  const { refusals, summary, statusIds } = await importTexts({
    "cut.json": JSON.stringify({ statuses: ["10", "11", "12"].map((id) => twitterStatus(id)) }).slice(0, -20),
    "good.json": JSON.stringify([twitterStatus("13")]),
  });
  assert.equal(statusIds(), ["10", "11", "13"]);
  assert.match(refusals.join("\n"), /^cut\.json\[2\]: the file is cut off, near byte \d+$/);
  assert.equal([summary.statuses.refused, summary.total.refused], [0, 1]);
});

Refusals("of a status that is too large for a message do not concern the others of its batch", async () => {
  const { refusals, statusIds } = await importItems([
    twitterStatus("10", { text: "x".repeat(1024 * 1024) }),
    twitterStatus("11"),
  ]);
  assert.equal(refusals, ["list[0]: it is larger than 1048576 bytes"]);
  assert.equal(statusIds(), ["11"]);
});

Refusals.run();
