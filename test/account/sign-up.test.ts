import { createHash } from "node:crypto";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { whileUncommitted } from "../support/open-transaction.ts";
import { valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const SignUp = suite("sign-up");
const modes = ["open", "invite", "closed"] as const;
const services = {} as Record<(typeof modes)[number], TestServices>;
const day = 24 * 3_600;

SignUp.before(async () => {
  for (const mode of modes) services[mode] = await startTestServices({ SIGN_UP: mode });
});
SignUp.after(async () => {
  for (const mode of modes) await services[mode].stop();
});

type Form = Parameters<TestServices["clients"]["account"]["registration"]>[0];

function register(mode: (typeof modes)[number], form: Form, invitation?: string) {
  const headers = invitation === undefined ? undefined : { "x-invitation": invitation };
  return services[mode].clients.account.registration({ password: "correct horse", ...form }, { headers });
}

const invite = (mode: (typeof modes)[number], uses = 1, maxAge = day) =>
  services[mode].clients.operator.makeInvitation({ uses, maxAge });
const list = async (mode: (typeof modes)[number]) =>
  (await services[mode].clients.operator.listInvitations({})).invitations;
const names = async (mode: (typeof modes)[number]) =>
  (await services[mode].database.query("select user_name from account.account order by 1")).map((row) => row.user_name);

const forbidden = (message: string) => ({ code: "PermissionDenied", errorCode: "Forbidden", message, fields: [] });
const closed = forbidden("Registration is closed here.");
const notInvited = forbidden("Registration needs a valid invitation.");

SignUp("open needs no invitation, and does not use up one that is presented", async () => {
  const { invitation } = await invite("open");
  await register("open", { userName: "ann" });
  await register("open", { userName: "bob" }, invitation);
  await register("open", { userName: "cid" }, "nonsense");
  assert.is((await list("open"))[0]?.used, 0);
});

SignUp(
  "closed refuses every registration, also with an invitation, and does not reveal which names are taken",
  async () => {
    const { invitation } = await invite("closed");
    await services.closed.clients.account.claimAccounts({
      origin: "twitter",
      claims: [{ originId: "1", userName: "ann", createdAt: { seconds: 1_500_000_000n } }],
    });
    for (const userName of ["ann", "bob"]) {
      assert.equal(await refusalOf(register("closed", { userName })), closed);
      assert.equal(await refusalOf(register("closed", { userName }, invitation)), closed);
    }
    assert.equal(await names("closed"), ["ann"]);
    assert.is((await list("closed"))[0]?.used, 0);
  },
);

SignUp("by invitation accepts as many registrations as the invitation is for, and no other", async () => {
  const { invitation } = await invite("invite", 2);
  assert.equal(await refusalOf(register("invite", { userName: "ann" })), notInvited);
  assert.equal(await refusalOf(register("invite", { userName: "ann" }, "")), notInvited);
  assert.equal(await refusalOf(register("invite", { userName: "ann" }, `${invitation}x`)), notInvited);
  await register("invite", { userName: "ann" }, invitation);
  await register("invite", { email: "dan@example.org", displayName: "Ann" }, invitation);
  assert.equal(await refusalOf(register("invite", { userName: "bob" }, invitation)), notInvited);
  // A caller who may not register does not learn which names are taken.
  assert.equal(await refusalOf(register("invite", { userName: "ann" }, invitation)), notInvited);
  assert.is((await names("invite")).length, 2);
});

SignUp(
  "by invitation reports invalid fields first, and a refused registration does not use the invitation up",
  async () => {
    const { invitation, made } = await invite("invite");
    const bad = await refusalOf(register("invite", { userName: "-", password: "short" }));
    assert.equal(bad.fields, ["userName RegularExpression", "password Length"]);
    const taken = await refusalOf(register("invite", { userName: "ann", password: "short" }, invitation));
    assert.equal(taken.fields, ["userName AlreadyExists", "password Length"]);
    assert.is((await list("invite")).find(({ id }) => id === made?.id)?.used, 0);
    await register("invite", { userName: "eva" }, invitation);
    assert.is((await list("invite")).find(({ id }) => id === made?.id)?.used, 1);
  },
);

SignUp("by invitation accepts one of several concurrent registrations with it, and stores no other", async () => {
  const { invitation } = await invite("invite");
  const all = Array.from({ length: 10 }, (_, index) => register("invite", { userName: `many${index}` }, invitation));
  const outcomes = await Promise.allSettled(all);
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  for (const made of all) await made.catch(async () => assert.equal(await refusalOf(made), notInvited));
  assert.is((await names("invite")).filter((name) => `${name as string}`.startsWith("many")).length, 1);
});

SignUp("refuses an invitation that has expired or was revoked", async () => {
  const { operator } = services.invite.clients;
  const { invitation, made } = await invite("invite");
  await services.invite.database.query("update account.invitation set expires_at = now() where invitation_id = $1", [
    made?.id,
  ]);
  assert.equal(await refusalOf(register("invite", { userName: "fay" }, invitation)), notInvited);
  const other = await invite("invite");
  await operator.revokeInvitation({ id: other.made?.id ?? 0n });
  assert.equal(await refusalOf(register("invite", { userName: "fay" }, other.invitation)), notInvited);
  const listed = (await list("invite")).map(({ id }) => id);
  assert.not.ok(listed.includes(made?.id ?? 0n) || listed.includes(other.made?.id ?? 0n));
  assert.is((await refusalOf(operator.revokeInvitation({ id: other.made?.id ?? 0n }))).code, "NotFound");
});

SignUp("makes invitations within the limits, and stores only the hash of their code", async () => {
  const { invitation, made } = await invite("open", 3, 60);
  assert.ok(Buffer.from(invitation, "base64url").length === 32);
  assert.ok(Math.abs((made?.expiresAt ? timestampDate(made.expiresAt).getTime() : 0) - Date.now() - 60_000) < 30_000);
  const rows = await services.open.database.query("select * from account.invitation");
  assert.not.ok(JSON.stringify(rows).includes(invitation));
  const { operator } = services.open.clients;
  const refused = await refusalOf(operator.makeInvitation({ uses: 0, maxAge: 401 * day }));
  assert.equal(refused.fields, ["uses InclusiveBetween", "maxAge InclusiveBetween"]);
});

/** How many transactions added these rows. */
async function transactionsOf(table: string, names: readonly string[]): Promise<number> {
  const column = table === "account.account" ? "user_name" : "screen_name";
  const query = `select count(distinct xmin::text)::int as count from ${table} where ${column} = any ($1)`;
  return (await services.open.database.query(query, [names]))[0]?.count as number;
}

SignUp("adds accounts, and then their profiles, in few transactions when many register at once", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `together_${index}`);
  const start = (some: readonly string[]) =>
    some.map((userName) => register("open", { userName, email: `${userName}@a.example` }));
  const { account } = services.open.database;
  const replies = await whileUncommitted(account, [["lock table account.account in share mode"]], async (lock) => {
    const first = start(names.slice(0, 1));
    await lock.waiting(1);
    const others = start(names.slice(1));
    // Passwords are hashed in the order in which they come, so those of the others are hashed when these are.
    for (let turn = 0; turn < 3; turn++) {
      const signIn = services.open.clients.accountPeople.authenticate({
        userName: "unknown",
        password: "correct horse",
      });
      assert.is((await refusalOf(signIn)).code, "Unauthenticated");
    }
    await lock.commit();
    return Promise.all([...first, ...others]);
  });
  assert.equal(valuesOf(replies, "userName"), names);
  const { results } = await services.open.clients.social.socialUsers({ screenNames: names });
  assert.equal(
    results.map(({ id, screenName }) => [id, screenName]),
    replies.map(({ userId, userName }) => [userId, userName]),
  );
  for (const table of ["account.account", "social.profile"]) {
    const transactions = await transactionsOf(table, names);
    assert.ok(transactions < names.length, `${transactions} of ${table}`);
  }
  const sessions = await services.open.database.query(
    `select user_name, encode(id_hash, 'hex') as hash from account.session join account.account using (user_id)
     where user_name = any ($1) order by user_id`,
    [names],
  );
  const hashes = new Map(sessions.map(({ user_name, hash }) => [user_name, hash]));
  for (const { userName, sessionId } of replies) {
    assert.is(hashes.get(userName), createHash("sha256").update(sessionId).digest("hex"), userName);
  }
});

SignUp.run();
