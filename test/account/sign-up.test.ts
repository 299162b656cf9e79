import { timestampDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { whileUncommitted } from "../support/open-transaction.ts";
import { idsOf, importedAccount, password, valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const SignUp = suite("sign-up");
const modes = ["open", "invite", "closed"] as const;
type Mode = (typeof modes)[number];
const services = {} as Record<Mode, TestServices>;
const day = 24 * 3_600;

SignUp.before(async () => {
  for (const mode of modes) services[mode] = await startTestServices({ SIGN_UP: mode });
});
SignUp.after(async () => {
  for (const mode of modes) await services[mode].stop();
});

type Form = Parameters<TestServices["clients"]["account"]["registration"]>[0];

function register(mode: Mode, form: Form, invitation?: string) {
  const headers = invitation === undefined ? undefined : { "x-invitation": invitation };
  return services[mode].clients.account.registration({ password, ...form }, { headers });
}

const invite = (mode: Mode, uses = 1, maxAge = day) => services[mode].clients.operator.makeInvitation({ uses, maxAge });
const list = async (mode: Mode) => (await services[mode].clients.operator.listInvitations({})).invitations;
const names = async (mode: Mode) =>
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
    await importedAccount(services.closed.clients.account, "1", "ann");
    for (const userName of ["ann", "bob"]) {
      assert.equal(await refusalOf(register("closed", { userName })), closed);
      assert.equal(await refusalOf(register("closed", { userName }, invitation)), closed);
    }
    assert.equal(await names("closed"), ["ann"]);
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
  const [expired, revoked] = [await invite("invite"), await invite("invite")];
  const expire = "update account.invitation set expires_at = now() where invitation_id = $1";
  await services.invite.database.query(expire, [expired.made?.id]);
  await services.invite.clients.operator.revokeInvitation({ id: revoked.made?.id ?? 0n });
  const listed = valuesOf(await list("invite"), "id");
  for (const { invitation, made } of [expired, revoked]) {
    assert.equal(await refusalOf(register("invite", { userName: "fay" }, invitation)), notInvited);
    assert.not.ok(listed.includes(made?.id ?? 0n));
  }
});

SignUp("makes invitations within the limits", async () => {
  const { made } = await invite("open", 3, 60);
  assert.ok(Math.abs((made?.expiresAt ? timestampDate(made.expiresAt).getTime() : 0) - Date.now() - 60_000) < 30_000);
  const refused = await refusalOf(services.open.clients.operator.makeInvitation({ uses: 0, maxAge: 401 * day }));
  assert.equal(refused.fields, ["uses InclusiveBetween", "maxAge InclusiveBetween"]);
});

SignUp("adds accounts, and then their profiles, in few transactions when many register at once", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `together_${index}`);
  const start = (userName: string) => register("open", { userName, email: `${userName}@a.example`, autoLogin: true });
  const { account, query } = services.open.database;
  const replies = await whileUncommitted(account, [["lock table account.account in share mode"]], async (lock) => {
    const first = start("together_0");
    await lock.waiting(1);
    const others = names.slice(1).map(start);
    // Passwords are hashed in the order in which they come, so those of the others are hashed when these are.
    for (let turn = 0; turn < 3; turn++) {
      const signIn = services.open.clients.accountPeople.authenticate({ userName: "unknown", password });
      assert.is((await refusalOf(signIn)).code, "Unauthenticated");
    }
    await lock.commit();
    return Promise.all([first, ...others]);
  });
  assert.equal(valuesOf(replies, "userName"), names);
  const { results } = await services.open.clients.social.socialUsers({ screenNames: names });
  assert.equal(idsOf(results), valuesOf(replies, "userId"));
  for (const { userId, sessionId } of replies) assert.is(await services.open.userOf(sessionId), userId);
  for (const [table, column] of [
    ["account.account", "user_name"],
    ["social.profile", "screen_name"],
  ] as const) {
    const count = `select count(distinct xmin::text)::int as count from ${table} where ${column} = any ($1)`;
    const [transactions] = await query(count, [names]);
    assert.ok((transactions?.count as number) < names.length, `${transactions?.count} of ${table}`);
  }
});

SignUp.run();
