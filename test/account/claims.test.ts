import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { whileUncommitted } from "../support/open-transaction.ts";
import { importedAccount, password, register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Claim = suite("claim account");
const services = useServices(Claim);

const imported = (originId: string, userName: string) => importedAccount(services.clients.account, originId, userName);

Claim("sets the password of an imported account, whose user then signs in by name or e-mail address", async () => {
  const userId = await imported("1", "Carla");
  const { account } = await services.clients.account.claimAccount({ userId, password, email: "Carla@Example.org" });
  const { claimed, email, origin, originId, userName } = account ?? {};
  assert.equal([claimed, email, origin, originId, userName], [true, "Carla@Example.org", "twitter", "1", "Carla"]);
  for (const userName of ["carla", "carla@example.org"]) {
    assert.is((await services.clients.accountPeople.authenticate({ userName, password })).userId, `${userId}`);
  }
  assert.equal((await services.clients.account.getAccount({ userId })).account, account);
});

Claim("succeeds once, and is refused after that", async () => {
  const userId = await imported("2", "Once");
  const claim = () => services.clients.account.claimAccount({ userId, password });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, claim));
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  assert.is((await refusalOf(claim())).code, "FailedPrecondition");
});

Claim("refuses an account that was registered, and leaves its password unchanged", async () => {
  const userId = await register(services, "registered");
  const refusal = await refusalOf(services.clients.account.claimAccount({ userId, password: "other horse" }));
  assert.is(refusal.code, "FailedPrecondition");
  const signedIn = await services.clients.accountPeople.authenticate({ userName: "registered", password });
  assert.is(signedIn.userId, `${userId}`);
});

Claim("checks password and e-mail address by the rules of a registration", async () => {
  const userId = await imported("3", "Rules");
  await services.clients.account.registration({ userName: "owner", email: "taken@bücher.example", password });
  const cases: [string, string, string[]][] = [
    ["", "", ["password NotEmpty"]],
    ["short", "no address", ["password Length", "email Email"]],
    [password, "TAKEN@xn--bcher-kva.example", ["email AlreadyExists"]],
  ];
  for (const [given, email, fields] of cases) {
    const call = services.clients.account.claimAccount({ userId, password: given, email });
    assert.equal((await refusalOf(call)).fields, fields);
  }
  const [row] = await services.database.query("select claimed from account.account where user_id = $1", [userId]);
  assert.is(row?.claimed, false);
});

Claim("keeps the name of a claimed account when its archive is imported again with another name", async () => {
  const userId = await imported("4", "Stays");
  await services.clients.account.claimAccount({ userId, password });
  await imported("4", "Renamed");
  assert.is((await services.clients.account.getAccount({ userId })).account?.userName, "Stays");
});

Claim.run();

const Claims = suite("claim accounts");
useServices(Claims, { RESERVED_NAMES: "Town.Hall, mayor" }, services);
const joined = new Date("2012-03-04T05:06:07Z");

type Imported = [originId: string, userName: string, createdAt?: Date];

async function claim(...people: Imported[]) {
  const { results } = await services.clients.account.claimAccounts({
    origin: "twitter",
    claims: people.map(([originId, userName, createdAt = joined]) => ({
      originId,
      userName,
      displayName: userName,
      createdAt: timestampFromDate(createdAt),
    })),
  });
  return results.map(({ userId, refusal }) => ({ userId, refusal }));
}

/** "stored", or why it was refused. */
const outcomesOf = async (...people: Imported[]) =>
  (await claim(...people)).map(({ userId, refusal }) => (userId > 0n ? "stored" : refusal));

Claims("give ids in the order of the dates of joining", async () => {
  const [late, early] = await claim(["3", "late", new Date("2020-01-01")], ["4", "early", new Date("2007-01-01")]);
  assert.ok((early?.userId ?? 0n) < (late?.userId ?? 0n));
});

Claims("are refused a reserved name, except for a user who has it", async () => {
  const [before] = await claim(["90", "Assistance"]);
  assert.equal(await outcomesOf(["91", "Help"], ["92", "town.hall"], ["90", "support"]), [
    "the name Help is reserved",
    "the name town.hall is reserved",
    "the name support is reserved",
  ]);
  await services.database.query("update account.account set user_name = 'Help' where origin_id = '90'");
  const [again, free] = await claim(["90", "help"], ["93", "helper"]);
  assert.equal(again, before);
  assert.ok(free?.userId);
  assert.is((await claim(["91", "HELP"]))[0]?.refusal, "the name HELP is reserved");
});

Claims("do not bring back a user who deletes the account at the same moment", async () => {
  await claim(["70", "Leaving"]);
  const deletion = `with gone as (
      update account.account set origin = null, origin_id = null, deleted_at = now(), claimed = false
      where origin_id = '70' returning user_id
    )
    insert into account.deletion (user_id, origin, origin_id) select user_id, 'twitter', '70' from gone`;
  await whileUncommitted(services.database.account, [[deletion]], async ({ waiting, commit }) => {
    const claimed = claim(["70", "Renamed"]);
    await waiting(1);
    await commit();
    assert.equal(await claimed, [{ userId: 0n, refusal: "its person has deleted the account" }]);
  });
});

Claims("do not bring back a user whom another import adds, and who deletes the account, while they wait", async () => {
  const reserved = `insert into account.account (user_id, user_name, display_name, claimed, created_at)
    values (account.next_id(now()), 'reserved', 'reserved', false, now())`;
  const refused = { userId: 0n, refusal: "its person has deleted the account" };
  await whileUncommitted(services.database.account, [[reserved]], async ({ waiting, commit }) => {
    const slow = claim(["71", "reserved"], ["72", "shortly"]);
    await waiting(1);
    const [added] = await claim(["72", "shortly"]);
    await services.clients.account.deleteAccount({ userId: added?.userId ?? 0n });
    await commit();
    assert.equal((await slow)[1], refused);
  });
  assert.equal(await claim(["72", "shortly"]), [refused]);
  const [left] = await services.database.query("select count(*) from account.account where origin_id = '72'");
  assert.is(Number(left?.count), 0);
});

Claims("rename the account and free its old name when the user was renamed at the origin", async () => {
  const [before] = await claim(["7", "Seven"]);
  const [after] = await claim(["7", "Sept"]);
  assert.equal(after, before);
  const [row] = await services.database.query("select user_name from account.account where origin_id = '7'");
  assert.is(row?.user_name, "Sept");
  assert.ok((await claim(["8", "Seven"]))[0]?.userId);
});

Claims("refuse what is invalid, taken or there twice in a batch, and store the others", async () => {
  await register(services, "Registered");
  await claim(["13", "Claimed"]);
  const cases: [Imported, string][] = [
    [["", "x1"], "it has no usable id"],
    [["10", "no blanks"], "the screen name is not usable"],
    [["11", "x2", new Date("1999-01-01")], "created_at must lie between 2006 and now"],
    [["14", "registered"], "the name registered is taken"],
    [["15", "CLAIMED"], "the name CLAIMED is taken"],
    [["16", "twin"], "stored"],
    [["16", "other"], "its id occurs twice in one batch"],
    [["17", "TWIN"], "the name TWIN is asked for twice in one batch"],
    [["12", "fine"], "stored"],
  ];
  const outcomes = await outcomesOf(...cases.map(([person]) => person));
  assert.equal(
    outcomes,
    cases.map(([, outcome]) => outcome),
  );
  assert.equal((await refusalOf(register(services, "cLAIMED"))).fields, ["userName AlreadyExists"]);
});

Claims("rename several accounts to each other's old names in one batch", async () => {
  await claim(["c1", "chain1"], ["c2", "chain2"], ["c3", "chain3"]);
  const renamed = await outcomesOf(["c1", "chain2"], ["c2", "chain3"], ["c3", "chain4"]);
  assert.equal(renamed, ["stored", "stored", "stored"]);
});

Claims("succeed in concurrent batches with the same names in opposite order", async () => {
  for (let round = 0; round < 3; round++) {
    const people = Array.from({ length: 600 }, (_, n): Imported => [`o${round}-${n}`, `order${round}_${n}`]);
    const [one, two] = await Promise.all([claim(...people), claim(...people.toReversed())]);
    assert.equal(one, two.toReversed());
    assert.ok(one.every(({ userId }) => userId > 0n));
  }
});

Claims.run();
