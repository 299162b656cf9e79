import * as assert from "uvu/assert";
import { whileUncommitted } from "../support/open-transaction.ts";
import { password as old, registerSignedIn } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Change = suite("change password");
const fresh = "battery staple";
let services: TestServices;

Change.before(async () => {
  services = await startTestServices();
});
Change.after(() => services.stop());

const signIn = (userNameOrEmail: string, password: string) =>
  services.clients.sessions.signIn({ userNameOrEmail, password });
const whose = (sessionId: string) => services.userOf(sessionId);
const register = (userName: string) => registerSignedIn(services, userName);

Change("accepts the new password at sign-in and refuses the old one", async () => {
  const { userId } = await register("swap");
  await services.clients.account.changePassword({ userId, currentPassword: old, newPassword: fresh });
  assert.is((await refusalOf(signIn("swap", old))).code, "Unauthenticated");
  assert.is((await signIn("swap", fresh)).userId, userId);
});

Change("ends every session but the caller's own", async () => {
  const { userId, sessionId: first } = await register("places");
  const { sessionId: own } = await signIn("places", old);
  const { sessionId: stranger } = await register("stranger");
  const request = { userId, currentPassword: old, newPassword: fresh };
  await services.clients.account.changePassword({ ...request, sessionId: own });
  assert.equal([await whose(first), await whose(own)], [undefined, userId]);
  assert.ok(await whose(stranger));
  await services.clients.account.changePassword({ userId, currentPassword: fresh, newPassword: old });
  assert.is(await whose(own), undefined);
});

Change("refuses a wrong current password and changes nothing", async () => {
  const { userId, sessionId } = await register("thief");
  const refusal = await refusalOf(
    services.clients.account.changePassword({ userId, currentPassword: "wrong horse", newPassword: fresh }),
  );
  assert.equal([refusal.code, refusal.fields], ["InvalidArgument", ["currentPassword WrongPassword"]]);
  assert.is(await whose(sessionId), userId);
  assert.is((await signIn("thief", old)).userId, userId);
});

Change("checks the new password by the rules of a registration", async () => {
  const { userId } = await register("rules");
  const cases: [string, string, string[]][] = [
    ["", " ", ["currentPassword NotEmpty", "newPassword NotEmpty"]],
    [old, "short", ["newPassword Length"]],
    [old, "é".repeat(513), ["newPassword Length"]],
    ["x".repeat(2_000), fresh, ["currentPassword Length"]],
  ];
  for (const [currentPassword, newPassword, fields] of cases) {
    const call = services.clients.account.changePassword({ userId, currentPassword, newPassword });
    assert.equal((await refusalOf(call)).fields, fields);
  }
});

Change("lets exactly one of several concurrent changes succeed", async () => {
  const { userId } = await register("racer");
  const wishes = Array.from({ length: 8 }, (_, index) => `${fresh} ${index}`);
  const outcomes = await Promise.allSettled(
    wishes.map((newPassword) => services.clients.account.changePassword({ userId, currentPassword: old, newPassword })),
  );
  const winners = wishes.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.is(winners.length, 1);
  assert.is((await signIn("racer", winners[0] as string)).userId, userId);
});

Change("refuses a sign-in that checked the old password before the change was committed", async () => {
  const { userId } = await register("overlap");
  // Holds the locks that a change of password has between its update and its commit.
  const change = "update account.account set password_version = password_version + 1 where user_id = $1";
  await whileUncommitted(services.database.account, [[change, [userId]]], async ({ waiting, commit }) => {
    const late = refusalOf(signIn("overlap", old));
    await waiting(1);
    await commit();
    assert.is((await late).code, "Unauthenticated");
  });
  const stored = "select from account.session where user_id = $1";
  assert.is((await services.database.query(stored, [userId])).length, 1);
});

Change.run();
