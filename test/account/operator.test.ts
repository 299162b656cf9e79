import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { password, register, registerSignedIn } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Operator = suite("the operator's calls");
let services: TestServices;
let annId: bigint;

Operator.before(async () => {
  services = await startTestServices();
  annId = await register(services, "Ann", { email: "Ann@Example.org" });
});
Operator.after(() => services.stop());

const signIn = async (given = password) =>
  (await services.clients.accountPeople.authenticate({ userName: "ann", password: given })).sessionId;
const whose = (sessionId: string) => services.userOf(sessionId);

Operator("find an account by name or address in any case", async () => {
  for (const userNameOrEmail of ["ann", "ANN", " ann@example.ORG "]) {
    const { account } = await services.clients.operator.findAccount({ userNameOrEmail });
    assert.equal([account?.userId, account?.userName, account?.email], [annId, "Ann", "Ann@Example.org"]);
  }
  for (const userNameOrEmail of ["", "bob", "bob@example.org", "a\u0000"])
    assert.is((await refusalOf(services.clients.operator.findAccount({ userNameOrEmail }))).code, "NotFound");
});

Operator("end all sessions of one user only", async () => {
  const sessions = [await signIn(), await signIn()];
  const other = await registerSignedIn(services, "Bob");
  assert.is((await services.clients.operator.endSessions({ userId: annId })).ended, 2);
  for (const session of sessions) assert.is(await whose(session), undefined);
  assert.is(await whose(other.sessionId), other.userId);
  assert.is((await services.clients.operator.endSessions({ userId: annId })).ended, 0);
  assert.is(await whose(await signIn()), annId);
});

Operator("reset a password: the old one and all sessions end", async () => {
  const session = await signIn();
  await services.clients.operator.resetPassword({ userId: annId, newPassword: "battery staple" });
  assert.is(await whose(session), undefined);
  assert.is((await refusalOf(signIn())).code, "Unauthenticated");
  assert.is(await whose(await signIn("battery staple")), annId);
});

Operator("refuse to reset a password to an invalid one, and that of an unknown or unclaimed account", async () => {
  const { operator, account } = services.clients;
  const short = await refusalOf(operator.resetPassword({ userId: annId, newPassword: "short" }));
  assert.equal(short.fields, ["newPassword Length"]);
  assert.is((await refusalOf(operator.resetPassword({ userId: 1n, newPassword: password }))).code, "NotFound");
  const claims = [{ originId: "1", userName: "Kim", createdAt: timestampFromDate(new Date("2012-01-01")) }];
  const [kim] = (await account.claimAccounts({ origin: "twitter", claims })).results;
  const imported = await refusalOf(operator.resetPassword({ userId: kim?.userId ?? 0n, newPassword: password }));
  assert.is(imported.code, "FailedPrecondition");
});

Operator.run();
