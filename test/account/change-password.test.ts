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

const signIn = (userName: string, password: string) =>
  services.clients.accountPeople.authenticate({ userName, password });
const change = (userId: bigint, oldPassword: string, newPassword: string) =>
  services.clients.accountPeople.changePassword({ userId, oldPassword, newPassword });
const register = (userName: string) => registerSignedIn(services, userName);

Change("ends every session of the user, and of no other, when it names none to keep", async () => {
  const { userId, sessionId } = await register("places");
  const other = await register("stranger");
  await change(userId, old, fresh);
  assert.equal([await services.userOf(sessionId), await services.userOf(other.sessionId)], [undefined, other.userId]);
});

Change("refuses the old password at sign-in, and accepts the new one", async () => {
  const { userId } = await register("swap");
  await change(userId, old, fresh);
  assert.is((await refusalOf(signIn("swap", old))).code, "Unauthenticated");
  assert.is((await signIn("swap", fresh)).userId, `${userId}`);
});

Change("checks the new password by the rules of a registration", async () => {
  const { userId } = await register("rules");
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
  const { userId } = await register("racer");
  const wishes = Array.from({ length: 8 }, (_, index) => `${fresh} ${index}`);
  const outcomes = await Promise.allSettled(wishes.map((wish) => change(userId, old, wish)));
  const winners = wishes.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.is(winners.length, 1);
  assert.is((await signIn("racer", winners[0] as string)).userId, `${userId}`);
});

Change("refuses a sign-in that checked the old password before the change was committed", async () => {
  const { userId } = await register("overlap");
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
