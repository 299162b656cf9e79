import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { type Login, parseLogin } from "../../services/account/domain/login.ts";
import { listNamedAccounts, listNewestAccounts } from "../../services/account/store/accounts.ts";
import { deleteOldPasswordRequests } from "../../services/account/store/password-requests.ts";
import { createPool, type Db } from "../../services/platform/postgres/pool.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { importedAccount, password as old, password, register, registerSignedIn, valuesOf } from "../support/people.ts";
import { explaining } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const People = suite("operations of users on their own account");
const services = useServices(People);
const fresh = "battery staple";

const people = () => services.clients.accountPeople;
const whose = (sessionId: string) => services.userOf(sessionId);
const registered = (userName: string) =>
  registerSignedIn(services, userName, { email: `${userName}@example.com`, displayName: `The ${userName}` });

People("end the session that they presented when they signed in again, unless the sign-in fails", async () => {
  const { sessionId: before } = await registered("cid");
  const { sessionId } = await people().authenticate({ userName: "cid", password: old, sessionId: before });
  assert.is(await whose(before), undefined);
  assert.ok(await whose(sessionId));
  await refusalOf(people().authenticate({ userName: "cid", password: "wrong horse", sessionId }));
  assert.ok(await whose(sessionId), "a sign-in that fails ends nothing");
});

People("may repeat a change of password by its request id until the next change", async () => {
  const { userId, sessionId } = await registered("hal");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await refusalOf(people().changePassword({ ...change, oldPassword: "wrong horse" }));
  await people().changePassword(change);
  const { sessionId: later } = await people().authenticate({ userName: "hal", password: fresh });
  await people().changePassword(change);
  assert.is(await whose(later), userId, "a repeated change ends no session");
  const next = { ...change, oldPassword: fresh, newPassword: `${fresh}!`, requestId: randomUUID() };
  await people().changePassword(next);
  assert.is((await refusalOf(people().changePassword(change))).code, "Unauthenticated");
});

People("may send one change of password several times concurrently", async () => {
  const { userId, sessionId } = await registered("ida");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await Promise.all(Array.from({ length: 6 }, () => people().changePassword(change)));
  assert.is(await whose(sessionId), userId);
});

People(
  "get the first answer to a repeated request for 72 hours, after which it is deleted, as with the account",
  async () => {
    const { userId, sessionId } = await registered("liv");
    const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
    await people().changePassword(change);
    const { database, log } = services;
    const requests = () => database.query("select 1 from account.password_request where user_id = $1", [userId]);
    const age = (hours: number) =>
      database.query("update account.password_request set created_at = now() - make_interval(hours => $1)", [hours]);
    const pool = createPool(database.account, "test", log);
    await age(72);
    await deleteOldPasswordRequests(pool, 73);
    assert.is((await requests()).length, 1);
    await age(74);
    await deleteOldPasswordRequests(pool, 73);
    assert.is((await requests()).length, 0);
    await pool.end();
    await people().changePassword({ ...change, oldPassword: fresh, newPassword: old });
    await people().deleteAccount({ userId, password: old, requestId: randomUUID() });
    assert.is((await requests()).length, 0);
  },
);

People("who are suspended are refused a change of password, but may repeat one made before", async () => {
  const { userId, sessionId } = await registered("mya");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await people().changePassword(change);
  await services.clients.moderation.suspend({ userId });
  const next = { ...change, oldPassword: fresh, newPassword: old, requestId: randomUUID() };
  assert.is((await refusalOf(people().changePassword(next))).errorCode, "Suspended");
  await people().changePassword(change);
  await services.clients.moderation.reinstate({ userId });
  await people().changePassword(next);
  assert.is(await whose(sessionId), userId);
});

People("are refused a change of password while the social service is unavailable, but may repeat one", async () => {
  const { userId, sessionId } = await registered("ned");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await people().changePassword(change);
  await services.stopSocial();
  const next = { ...change, oldPassword: fresh, newPassword: old, requestId: randomUUID() };
  assert.is((await refusalOf(people().changePassword(next))).code, "Unavailable");
  await people().changePassword(change);
  await services.startSocial();
  await people().changePassword(next);
});

People("list their open sessions, the newest first", async () => {
  const { userId, sessionId } = await registered("kim");
  const { sessionId: expired } = await people().authenticate({ userName: "kim", password: old });
  await people().authenticate({ userName: "kim", password: old });
  const expire = "update account.session set expires_at = now() where id_hash = sha256($1)";
  await services.database.query(expire, [Buffer.from(expired)]);
  const { results } = await people().sessions({ userId, sessionId });
  assert.equal(valuesOf(results, "current"), [false, true]);
});

People("have at most 1,000 sessions, of which the list shows 200 with the one that asks", async () => {
  const { userId, sessionId } = await registered("mia");
  const add = `insert into account.session (id_hash, user_id, signed_in, created_at, expires_at)
               select sha256(('mia' || n)::bytea), $1, true, now() + n * interval '1 s', now() + interval '1 day'
               from generate_series(1, $2) as n`;
  await services.database.query(add, [userId, 998]);
  await people().authenticate({ userName: "mia", password: old });
  const { results } = await people().sessions({ userId, sessionId });
  assert.equal([results.length, results.at(-1)?.current], [200, true]);
  await people().authenticate({ userName: "mia", password: old });
  assert.is(await whose(sessionId), undefined);
  const open = "select from account.session where user_id = $1 and signed_in";
  assert.is((await services.database.query(open, [userId])).length, 1_000);
});

People("do not delete the account with a password that is changed meanwhile", async () => {
  const { userId, sessionId } = await registered("nora");
  // The change is committed while the deletion, whose password was right, waits for the row.
  const change = "update account.account set password_version = password_version + 1 where user_id = $1";
  await whileUncommitted(services.database.account, [[change, [userId]]], async ({ waiting, commit }) => {
    const refused = refusalOf(people().deleteAccount({ userId, password: old }));
    await waiting(1);
    await commit();
    assert.is((await refused).code, "Unauthenticated");
  });
  assert.is(await whose(sessionId), userId);
});

People("are refused an operation on another user's account", async () => {
  const { userId } = await registered("max");
  for (const viewer of [undefined, `${userId + 1n}`]) {
    const headers = new Headers(viewer === undefined ? {} : { "roost-viewer": viewer });
    // The tests' transport names the user of the request as viewer, unless a header names another one.
    if (viewer === undefined) headers.set("roost-viewer", "x");
    const call = people().deleteAccount({ userId, password: old }, { headers });
    const error = ConnectError.from(await call.catch((error: unknown) => error));
    assert.ok([Code.Unauthenticated, Code.PermissionDenied].includes(error.code));
  }
  assert.ok(await people().authenticate({ userName: "max", password: old }));
});

People.run();

const Change = suite("change password");
useServices(Change, {}, services);

const signIn = (userName: string, password: string) =>
  services.clients.accountPeople.authenticate({ userName, password });
const change = (userId: bigint, oldPassword: string, newPassword: string) =>
  services.clients.accountPeople.changePassword({ userId, oldPassword, newPassword });
const signedUp = (userName: string) => registerSignedIn(services, userName);

Change("ends every session of the user, and of no other, when it names none to keep", async () => {
  const { userId, sessionId } = await signedUp("places");
  const other = await signedUp("stranger");
  await change(userId, old, fresh);
  assert.equal([await services.userOf(sessionId), await services.userOf(other.sessionId)], [undefined, other.userId]);
});

Change("checks the new password by the rules of a registration", async () => {
  const { userId } = await signedUp("rules");
  const cases: [string, string, string[]][] = [
    ["", " ", ["oldPassword NotEmpty", "newPassword NotEmpty"]],
    [old, "short", ["newPassword Length"]],
    [old, "é".repeat(513), ["newPassword Length"]],
    ["x".repeat(2_000), fresh, ["oldPassword Length"]],
  ];
  for (const [oldPassword, newPassword, fields] of cases)
    assert.equal((await refusalOf(change(userId, oldPassword, newPassword))).fields, fields);
});

Change("lets exactly one of several concurrent changes succeed", async () => {
  const { userId } = await signedUp("racer");
  const wishes = Array.from({ length: 8 }, (_, index) => `${fresh} ${index}`);
  const outcomes = await Promise.allSettled(wishes.map((wish) => change(userId, old, wish)));
  const winners = wishes.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.is(winners.length, 1);
  assert.is((await signIn("racer", winners[0] as string)).userId, `${userId}`);
});

Change("refuses a sign-in that checked the old password before the change was committed", async () => {
  const { userId } = await signedUp("overlap");
  // Holds the locks that a change of password has between its update and its commit.
  const update = "update account.account set password_version = password_version + 1 where user_id = $1";
  await whileUncommitted(services.database.account, [[update, [userId]]], async ({ waiting, commit }) => {
    const late = refusalOf(signIn("overlap", old));
    await waiting(1);
    await commit();
    assert.is((await late).code, "Unauthenticated");
  });
  const stored = "select from account.session where user_id = $1";
  assert.is((await services.database.query(stored, [userId])).length, 1);
});

Change.run();

const Users = suite("the users of sessions");
useServices(Users, {}, services);

const open = async (userName: string) =>
  (await services.clients.accountPeople.authenticate({ userName, password })).sessionId;
const usersOf = async (...sessionIds: string[]) =>
  (await services.clients.sessions.findSessionUsers({ sessionIds })).userIds;

Users(
  "are given in the order of the sessions, also of one that is named twice; 0 for those without a user",
  async () => {
    const [ann, bea] = [await register(services, "ann"), await register(services, "bea")];
    const [first, second] = [await open("ann"), await open("bea")];
    const anonymous = (await services.clients.account.registration({ userName: "cy", password })).sessionId;
    assert.equal(await usersOf(second, "unknown", first, anonymous, "", second), [bea, 0n, ann, 0n, 0n, bea]);
    await services.clients.accountPeople.authenticate({ provider: "logout", sessionId: first });
    await services.database.query("update account.session set expires_at = now() where user_id = $1", [bea]);
    assert.equal(await usersOf(first, second), [0n, 0n]);
    assert.equal(await usersOf(), []);
  },
);

Users("are found for 4,000 sessions at once, and no more", async () => {
  assert.is((await usersOf(...Array<string>(4_000).fill("x"))).length, 4_000);
  assert.is((await refusalOf(usersOf(...Array<string>(4_001).fill("x")))).code, "InvalidArgument");
});

Users.run();

const Operator = suite("the operator's calls");
useServices(Operator, {}, services);
let annId: bigint;

Operator.before(async () => {
  annId = await register(services, "Ann", { email: "Ann@Example.org" });
});

Operator("find an account by name or address in any case", async () => {
  for (const userNameOrEmail of ["ann", "ANN", " ann@example.ORG "]) {
    const { account } = await services.clients.operator.findAccount({ userNameOrEmail });
    assert.equal([account?.userId, account?.userName, account?.email], [annId, "Ann", "Ann@Example.org"]);
  }
  for (const userNameOrEmail of ["", "bob", "bob@example.org", "a\u0000"])
    assert.is((await refusalOf(services.clients.operator.findAccount({ userNameOrEmail }))).code, "NotFound");
});

Operator("list accounts by the beginning of a name, by an address, or the newest", async () => {
  for (const userName of ["Nan", "nan_2", "Nap"]) await register(services, userName);
  const search = async (search: string, take?: number) => {
    const { accounts, more } = await services.clients.operator.searchAccounts({ search, take });
    return [accounts.map(({ account }) => account?.userName).join(" "), more];
  };
  assert.equal(await search("NAN"), ["Nan nan_2", false]);
  assert.equal(await search("na", 2), ["Nan nan_2", true]);
  assert.equal(await search("@nap"), ["Nap", false]);
  assert.equal(await search("ann@EXAMPLE.org"), ["Ann", false]);
  assert.equal(await search(" ", 2), ["Nap nan_2", true]);
  for (const nobody of ["an@example.org", "n%", "n_p", "a\u0000", "x".repeat(2_000)])
    assert.equal(await search(nobody), ["", false], nobody);
  const refusal = await refusalOf(services.clients.operator.searchAccounts({ take: 0 }));
  assert.equal(refusal.fields, ["take InclusiveBetween"]);
});

Operator("refuse to reset a password to an invalid one, and that of an unknown or unclaimed account", async () => {
  const { operator, account } = services.clients;
  const short = await refusalOf(operator.resetPassword({ userId: annId, newPassword: "short" }));
  assert.equal(short.fields, ["newPassword Length"]);
  assert.is((await refusalOf(operator.resetPassword({ userId: 1n, newPassword: password }))).code, "NotFound");
  const kim = await importedAccount(account, "1", "Kim");
  const imported = await refusalOf(operator.resetPassword({ userId: kim, newPassword: password }));
  assert.is(imported.code, "FailedPrecondition");
});

Operator("list accounts by an index, however many there are", async () => {
  await services.database.query(
    `insert into account.account (user_id, user_name, display_name, claimed, created_at)
     select number, 'many' || number, '', false, now() from generate_series(1, 20000) as number`,
  );
  await services.database.query("analyze account.account");
  const explained = explaining(services.database);
  const planOf = async (list: (db: Db) => Promise<unknown>) => list(explained.db).then(() => explained.plan);
  const byNameOrAddress = (search: string) => (db: Db) => listNamedAccounts(db, parseLogin(search) as Login, 101);
  assert.match(await planOf(byNameOrAddress("many1")), /^Limit\n {2}-> {2}Index Scan using account_name_key/);
  assert.match(await planOf(byNameOrAddress("ann@example.org")), /Index Scan (?:using|on) account_email_key/);
  assert.match(
    await planOf((db) => listNewestAccounts(db, 101)),
    /^Limit\n {2}-> {2}Index Scan Backward using account_pkey/,
  );
  await services.database.query("delete from account.account where user_id <= 20000");
});

Operator("list an account whose deletion has begun", async () => {
  const { account, operator } = services.clients;
  const userId = await register(services, "Oda", { email: "oda@example.org" });
  await services.stopSocial();
  await account.deleteAccount({ userId });
  const [{ account: left, deletionRequestedAt } = {}] = (await operator.searchAccounts({ search: "oda" })).accounts;
  assert.equal([left?.userId, left?.email], [userId, undefined]);
  assert.ok(deletionRequestedAt);
  assert.is((await refusalOf(operator.findAccount({ userNameOrEmail: "oda" }))).code, "NotFound");
});

Operator.run();
