import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { deleteOldPasswordRequests } from "../../services/account/store/password-requests.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { password as old, registerSignedIn } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const People = suite("operations of users on their own account");
const fresh = "battery staple";
let services: TestServices;

People.before(async () => {
  services = await startTestServices();
});
People.after(() => services.stop());

const people = () => services.clients.accountPeople;
const whose = (sessionId: string) => services.userOf(sessionId);
const register = (userName: string) =>
  registerSignedIn(services, userName, { email: `${userName}@example.com`, displayName: `The ${userName}` });

/** Reads the header by which the service tells the gateway to set or end the cookie. */
function sessionHeader() {
  let header: string | null = null;
  return { onHeader: (headers: Headers) => (header = headers.get("roost-session")), told: () => header };
}

People("sign in by name and by e-mail address, whatever the case of name and provider", async () => {
  const { userId } = await register("ann");
  for (const [provider, userName] of [
    ["", "ann"],
    ["credentials", "ANN"],
    ["Credentials", " ann@example.com "],
  ] as const) {
    const { onHeader, told } = sessionHeader();
    const reply = await people().authenticate({ provider, userName, password: old, continue: "/x" }, { onHeader });
    assert.equal(
      [reply.userId, reply.userName, reply.displayName, reply.referrerUrl, reply.responseStatus?.errors],
      [`${userId}`, "ann", "The ann", "/x", []],
    );
    assert.is(await whose(reply.sessionId), userId);
    assert.match(told() ?? "", new RegExp(`^${reply.sessionId}; max-age=\\d+$`));
  }
});

People("end the session that they presented when they signed in again, unless the sign-in fails", async () => {
  const { sessionId: before } = await register("cid");
  const { sessionId } = await people().authenticate({ userName: "cid", password: old, sessionId: before });
  assert.is(await whose(before), undefined);
  assert.ok(await whose(sessionId));
  await refusalOf(people().authenticate({ userName: "cid", password: "wrong horse", sessionId }));
  assert.ok(await whose(sessionId), "a sign-in that fails ends nothing");
});

People("read who is signed in, with the session id only for a bearer, not for a cookie", async () => {
  const { userId, sessionId } = await register("dan");
  const byBearer = await people().authenticate({ sessionId });
  assert.equal([byBearer.userId, byBearer.sessionId, byBearer.displayName], [`${userId}`, sessionId, "The dan"]);
  const byCookie = await people().authenticate({ sessionId, sessionCookie: true });
  assert.equal([byCookie.userId, byCookie.sessionId], [`${userId}`, ""]);
  for (const unknown of ["", "unknown"]) {
    assert.is((await refusalOf(people().authenticate({ sessionId: unknown }))).code, "Unauthenticated");
  }
});

People("end their session by signing out, which may be repeated", async () => {
  const { userId, sessionId } = await register("eve");
  const { sessionId: other } = await people().authenticate({ userName: "eve", password: old });
  for (const id of [sessionId, sessionId, "", "unknown"]) {
    const { onHeader, told } = sessionHeader();
    const reply = await people().authenticate({ provider: "LogOut", sessionId: id }, { onHeader });
    assert.equal([reply.userId, reply.sessionId, reply.userName, reply.displayName], ["", "", "", ""]);
    assert.is(told(), "ended");
    assert.equal([await whose(sessionId), await whose(other)], [undefined, userId]);
  }
});

People("are not signed out by another site, nor signed in or out by JSONP", async () => {
  const { sessionId } = await register("fay");
  const foreign = people().authenticate({ provider: "logout", foreignCookie: true });
  assert.is((await refusalOf(foreign)).code, "Unauthenticated");
  const headers = { "roost-anonymous": "jsonp" };
  for (const request of [{ provider: "logout" }, { userName: "fay", password: old }, {}, { provider: "x" }]) {
    const call = people().authenticate({ ...request, sessionId }, { headers });
    assert.is((await refusalOf(call)).code, "Unauthenticated");
  }
  assert.ok(await whose(sessionId));
});

People("get all invalid fields of a sign-in in one reply, and 404 for an unknown provider", async () => {
  const fields = async (request: object) => (await refusalOf(people().authenticate(request))).fields;
  assert.equal(await fields({ provider: "credentials" }), ["userName NotEmpty", "password NotEmpty"]);
  assert.equal(await fields({ userName: "ann" }), ["password NotEmpty"]);
  assert.equal(await fields({ password: "x", continue: "//x" }), ["userName NotEmpty", "continue InvalidUrl"]);
  assert.equal(await fields({ userName: "ann", password: "é".repeat(513) }), ["password Length"]);
  for (const provider of ["facebook", "constructor", "__proto__"]) {
    assert.is((await refusalOf(people().authenticate({ provider }))).code, "NotFound", provider);
  }
});

People("change the password, which ends every other session", async () => {
  const { userId, sessionId } = await register("gus");
  const { sessionId: other } = await people().authenticate({ userName: "gus", password: old });
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId };
  assert.equal((await people().changePassword(change)).responseStatus?.errors, []);
  assert.equal([await whose(sessionId), await whose(other)], [userId, undefined]);
  assert.is((await people().authenticate({ userName: "gus", password: fresh })).userId, `${userId}`);
});

People("may repeat a change of password by its request id until the next change", async () => {
  const { userId, sessionId } = await register("hal");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await people().changePassword(change);
  const { sessionId: later } = await people().authenticate({ userName: "hal", password: fresh });
  await people().changePassword(change);
  assert.is(await whose(later), userId, "a repeated change ends no session");
  await people().changePassword({
    ...change,
    oldPassword: fresh,
    newPassword: `${fresh}!`,
    requestId: randomUUID(),
  });
  assert.is((await refusalOf(people().changePassword(change))).code, "Unauthenticated");
});

People("may send one change of password several times concurrently", async () => {
  const { userId, sessionId } = await register("ida");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await Promise.all(Array.from({ length: 6 }, () => people().changePassword(change)));
  assert.is(await whose(sessionId), userId);
});

People("are refused the same change under another request id, and another change under the same one", async () => {
  const { userId, sessionId } = await register("kip");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await refusalOf(people().changePassword({ ...change, oldPassword: "wrong horse" }));
  await people().changePassword(change);
  const code = async (call: Promise<unknown>) => (await refusalOf(call)).errorCode;
  assert.is(await code(people().changePassword({ ...change, requestId: randomUUID() })), "Unauthorized");
  const other = { ...change, requestId: change.requestId.toUpperCase(), oldPassword: fresh, newPassword: `${fresh}!` };
  assert.is(await code(people().changePassword(other)), "Equal");
  assert.is(await code(people().deleteAccount({ userId, password: fresh, requestId: change.requestId })), "Equal");
  assert.is((await people().authenticate({ userName: "kip", password: fresh })).userId, `${userId}`);
});

People(
  "get the first answer to a repeated request for 72 hours, after which it is deleted, as with the account",
  async () => {
    const { userId, sessionId } = await register("liv");
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
  const { userId, sessionId } = await register("mya");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await people().changePassword(change);
  await services.clients.moderation.suspend({ userId });
  const next = { ...change, oldPassword: fresh, newPassword: old, requestId: randomUUID() };
  for (const call of [
    () => people().changePassword(next),
    () => people().changePassword({ ...next, oldPassword: "wrong horse" }),
  ])
    assert.is((await refusalOf(call())).errorCode, "Suspended");
  await people().changePassword(change);
  await services.clients.moderation.reinstate({ userId });
  await people().changePassword(next);
  assert.is(await whose(sessionId), userId);
});

People("are refused a change of password while the social service is unavailable, but may repeat one", async () => {
  const { userId, sessionId } = await register("ned");
  const change = { userId, oldPassword: old, newPassword: fresh, sessionId, requestId: randomUUID() };
  await people().changePassword(change);
  await services.stopSocial();
  const next = { ...change, oldPassword: fresh, newPassword: old, requestId: randomUUID() };
  assert.is((await refusalOf(people().changePassword(next))).code, "Unavailable");
  await people().changePassword(change);
  await services.startSocial();
  await people().changePassword(next);
});

People("are refused a change with a wrong old password as by a sign-in, and change nothing", async () => {
  const { userId, sessionId } = await register("joe");
  const refusal = await refusalOf(
    people().changePassword({ userId, oldPassword: "wrong horse", newPassword: fresh, sessionId }),
  );
  assert.equal([refusal.code, refusal.message], ["Unauthenticated", "Invalid UserName or Password"]);
  assert.is(await whose(sessionId), userId);
  const bad = people().changePassword({ userId, oldPassword: " ", newPassword: "short", requestId: "1" });
  assert.equal((await refusalOf(bad)).fields, [
    "oldPassword NotEmpty",
    "newPassword Length",
    "requestId RegularExpression",
  ]);
});

People("list their open sessions without any secret", async () => {
  const { userId, sessionId } = await register("kim");
  const { sessionId: expired } = await people().authenticate({ userName: "kim", password: old });
  await people().authenticate({ userName: "kim", password: old });
  await services.database.query("update account.session set expires_at = now() where id_hash = sha256($1)", [
    Buffer.from(expired),
  ]);
  const { results } = await people().sessions({ userId, sessionId });
  assert.equal(
    results.map(({ current }) => current),
    [false, true],
  );
  for (const { createdAt, expiresAt } of results) {
    for (const date of [createdAt, expiresAt])
      assert.match(date, /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:]{8} \+0000 \d{4}$/);
  }
});

People("have at most 1,000 sessions, of which the list shows 200 with the one that asks", async () => {
  const { userId, sessionId } = await register("mia");
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

People("delete the account only with its password, and only once", async () => {
  const { userId, sessionId } = await register("lou");
  const wrong = await refusalOf(people().deleteAccount({ userId, password: "wrong horse" }));
  assert.equal([wrong.code, wrong.message], ["Unauthenticated", "Invalid UserName or Password"]);
  assert.is(await whose(sessionId), userId);
  const { onHeader, told } = sessionHeader();
  assert.equal((await people().deleteAccount({ userId, password: old }, { onHeader })).results, []);
  assert.is(told(), "ended");
  assert.is(await whose(sessionId), undefined);
  assert.is((await refusalOf(people().deleteAccount({ userId, password: old }))).code, "Unauthenticated");
  assert.is((await refusalOf(people().authenticate({ userName: "lou", password: old }))).code, "Unauthenticated");
});

People("do not delete the account with a password that is changed meanwhile", async () => {
  const { userId, sessionId } = await register("nora");
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
  const { userId } = await register("max");
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
