import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { type Login, parseLogin } from "../../services/account/domain/login.ts";
import { listNamedAccounts, listNewestAccounts } from "../../services/account/store/accounts.ts";
import { deleteOldPasswordRequests } from "../../services/account/store/password-requests.ts";
import { createPool, type Db } from "../../services/platform/postgres/pool.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { importedAccount, password, register, registerSignedIn, valuesOf } from "../support/people.ts";
import { explaining } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const People = suite("operations of users on their own account");
const services = useServices(People);
const fresh = "battery staple";

const people = () => services.clients.accountPeople;
const whose = (sessionId: string) => services.userOf(sessionId);
const signIn = (userName: string, password: string, sessionId = "") =>
  people().authenticate({ userName, password, sessionId });

/** Registers a user, and returns a change of the password to the fresh one. */
async function changeOf(userName: string) {
  const { userId, sessionId } = await registerSignedIn(services, userName);
  return { userId, oldPassword: password, newPassword: fresh, sessionId, requestId: randomUUID() };
}

type Change = Awaited<ReturnType<typeof changeOf>>;

/** A change of the fresh password back to the first one. */
const backFrom = (change: Change): Change => ({
  ...change,
  oldPassword: fresh,
  newPassword: password,
  requestId: randomUUID(),
});

People("keep the session that they present with a sign-in that fails", async () => {
  const { userId, sessionId } = await registerSignedIn(services, "cid");
  await refusalOf(signIn("cid", "wrong horse", sessionId));
  assert.is(await whose(sessionId), userId);
});

People("may repeat a change of password by its request id until the next change", async () => {
  const change = await changeOf("hal");
  await refusalOf(people().changePassword({ ...change, oldPassword: "wrong horse" }));
  await people().changePassword(change);
  const { sessionId: later } = await signIn("hal", fresh);
  await people().changePassword(change);
  assert.is(await whose(later), change.userId, "a repeated change ends no session");
  await people().changePassword(backFrom(change));
  assert.is((await refusalOf(people().changePassword(change))).code, "Unauthenticated");
});

People("may send one change of password several times concurrently", async () => {
  const change = await changeOf("ida");
  await Promise.all(Array.from({ length: 6 }, () => people().changePassword(change)));
  assert.is(await whose(change.sessionId), change.userId);
});

People(
  "get the first answer to a repeated request for 72 hours, after which it is deleted, as with the account",
  async () => {
    const change = await changeOf("liv");
    const { userId } = change;
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
    await people().changePassword(backFrom(change));
    await people().deleteAccount({ userId, password, requestId: randomUUID() });
    assert.is((await requests()).length, 0);
  },
);

for (const [title, begin, end, expected] of [
  [
    "who are suspended",
    ({ userId }: Change) => services.clients.moderation.suspend({ userId }),
    ({ userId }: Change) => services.clients.moderation.reinstate({ userId }),
    ["PermissionDenied", "Suspended"],
  ],
  [
    "without the social service",
    () => services.stopSocial(),
    () => services.startSocial(),
    ["Unavailable", "ServiceUnavailable"],
  ],
] as const) {
  People(`${title} are refused a change of password, but may repeat one made before`, async () => {
    const change = await changeOf(title.replaceAll(" ", "_"));
    await people().changePassword(change);
    await begin(change);
    const next = backFrom(change);
    const { code, errorCode } = await refusalOf(people().changePassword(next));
    assert.equal([code, errorCode], expected);
    await people().changePassword(change);
    await end(change);
    await people().changePassword(next);
    assert.is(await whose(change.sessionId), change.userId);
  });
}

People("list their open sessions, the newest first", async () => {
  const { userId, sessionId } = await registerSignedIn(services, "kim");
  const { sessionId: expired } = await signIn("kim", password);
  await signIn("kim", password);
  const expire = "update account.session set expires_at = now() where id_hash = sha256($1)";
  await services.database.query(expire, [Buffer.from(expired)]);
  const { results } = await people().sessions({ userId, sessionId });
  assert.equal(valuesOf(results, "current"), [false, true]);
});

People("have at most 1,000 sessions, of which the list shows 200 with the one that asks", async () => {
  const { userId, sessionId } = await registerSignedIn(services, "mia");
  const add = `insert into account.session (id_hash, user_id, signed_in, created_at, expires_at)
               select sha256(('mia' || n)::bytea), $1, true, now() + n * interval '1 s', now() + interval '1 day'
               from generate_series(1, $2) as n`;
  await services.database.query(add, [userId, 998]);
  await signIn("mia", password);
  const { results } = await people().sessions({ userId, sessionId });
  assert.equal([results.length, results.at(-1)?.current], [200, true]);
  await signIn("mia", password);
  assert.is(await whose(sessionId), undefined);
  const open = "select from account.session where user_id = $1 and signed_in";
  assert.is((await services.database.query(open, [userId])).length, 1_000);
});

// Each is refused by a change of the password that is committed while it waits for the row, after its own check.
for (const [title, call] of [
  ["delete the account", ({ userId }: Change) => people().deleteAccount({ userId, password })],
  ["sign in", () => signIn("sign_in", password)],
] as const) {
  People(`do not ${title} with a password that is changed meanwhile`, async () => {
    const change = await changeOf(title.replaceAll(" ", "_"));
    const { userId } = change;
    const update = "update account.account set password_version = password_version + 1 where user_id = $1";
    await whileUncommitted(services.database.account, [[update, [userId]]], async ({ waiting, commit }) => {
      const refused = refusalOf(call(change));
      await waiting(1);
      await commit();
      assert.is((await refused).code, "Unauthenticated");
    });
    const stored = "select from account.session where user_id = $1";
    assert.is((await services.database.query(stored, [userId])).length, 1);
    assert.is(await whose(change.sessionId), userId);
  });
}

People("end all their sessions, and no other user's, by a change of password that names none to keep", async () => {
  const { sessionId, ...change } = await changeOf("places");
  const other = await registerSignedIn(services, "stranger");
  await people().changePassword(change);
  assert.equal([await whose(sessionId), await whose(other.sessionId)], [undefined, other.userId]);
});

People("are refused a password of more than 1,024 bytes, as the old one and as the new one", async () => {
  const long = { oldPassword: "x".repeat(2_000), newPassword: "é".repeat(513) };
  const refusal = await refusalOf(people().changePassword({ ...(await changeOf("rules")), ...long }));
  assert.equal(refusal.fields, ["oldPassword Length", "newPassword Length"]);
});

People("succeed with exactly one of several concurrent changes of password", async () => {
  const change = await changeOf("racer");
  const wishes = Array.from({ length: 8 }, (_, index) => ({
    ...change,
    newPassword: `${fresh} ${index}`,
    requestId: randomUUID(),
  }));
  const outcomes = await Promise.allSettled(wishes.map((wish) => people().changePassword(wish)));
  const winners = wishes.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.is(winners.length, 1);
  await signIn("racer", winners[0]?.newPassword ?? "");
});

People.run();

const Users = suite("the users of sessions");
useServices(Users, {}, services);

const usersOf = async (...sessionIds: string[]) =>
  (await services.clients.sessions.findSessionUsers({ sessionIds })).userIds;

Users(
  "are given in the order of the sessions, also of one that is named twice; 0 for those without a user",
  async () => {
    const [ann, bea] = [await registerSignedIn(services, "ann"), await registerSignedIn(services, "bea")];
    const { sessionId: anonymous } = await services.clients.account.registration({ userName: "cy", password });
    const asked = [bea.sessionId, "unknown", ann.sessionId, anonymous, "", bea.sessionId];
    assert.equal(await usersOf(...asked), [bea.userId, 0n, ann.userId, 0n, 0n, bea.userId]);
    assert.equal(await usersOf(), []);
  },
);

Users("are found for 4,000 sessions at once, and no more", async () => {
  assert.is((await usersOf(...Array<string>(4_000).fill("x"))).length, 4_000);
  assert.is((await refusalOf(usersOf(...Array<string>(4_001).fill("x")))).code, "InvalidArgument");
});

Users.run();

// test/cli/account.test.ts finds, lists and shows accounts.
const Operator = suite("the operator's calls");
useServices(Operator, {}, services);

Operator("find no account by a pattern, by a part of an address or by a text that no name can be", async () => {
  await register(services, "Nan", { email: "nan@example.org" });
  for (const search of ["an@example.org", "n%", "n_n", "a\u0000", "x".repeat(2_000)])
    assert.equal((await services.clients.operator.searchAccounts({ search })).accounts, [], search);
  const refusal = await refusalOf(services.clients.operator.searchAccounts({ take: 0 }));
  assert.equal(refusal.fields, ["take InclusiveBetween"]);
});

Operator("do not reset the password of an unknown or unclaimed account", async () => {
  const { operator, account } = services.clients;
  const reset = (userId: bigint) => refusalOf(operator.resetPassword({ userId, newPassword: password }));
  assert.is((await reset(1n)).code, "NotFound");
  assert.is((await reset(await importedAccount(account, "1"))).code, "FailedPrecondition");
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
});

Operator.run();
