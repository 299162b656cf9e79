import { suite } from "uvu";
import * as assert from "uvu/assert";
import { password } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { importedAccount } from "./imported-account.ts";

const Claim = suite("claim account");
let services: TestServices;

Claim.before(async () => {
  services = await startTestServices();
});
Claim.after(() => services.stop());

const imported = (originId: string, userName: string) => importedAccount(services.clients.account, originId, userName);

Claim("gives an imported account its person, who can sign in with name and address", async () => {
  const userId = await imported("1", "Carla");
  const { account } = await services.clients.account.claimAccount({ userId, password, email: "Carla@Example.org" });
  const { claimed, email, origin, originId, userName } = account ?? {};
  assert.equal([claimed, email, origin, originId, userName], [true, "Carla@Example.org", "twitter", "1", "Carla"]);
  for (const userNameOrEmail of ["carla", "carla@example.org"]) {
    assert.is((await services.clients.sessions.signIn({ userNameOrEmail, password })).userId, userId);
  }
  assert.equal((await services.clients.account.getAccount({ userId })).account, account);
});

Claim("does so once", async () => {
  const userId = await imported("2", "Once");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      services.clients.account.claimAccount({ userId, password: `${password} ${index}` }),
    ),
  );
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  const again = services.clients.account.claimAccount({ userId, password });
  assert.is((await refusalOf(again)).code, "FailedPrecondition");
});

Claim("never touches an account that a user registered", async () => {
  const { userId } = await services.clients.account.registration({ userName: "registered", password });
  const refusal = await refusalOf(services.clients.account.claimAccount({ userId, password: "other horse" }));
  assert.is(refusal.code, "FailedPrecondition");
  assert.is((await services.clients.sessions.signIn({ userNameOrEmail: "registered", password })).userId, userId);
});

Claim("knows no account that is not there", async () => {
  for (const userId of [0n, -1n, 7n]) {
    assert.is((await refusalOf(services.clients.account.claimAccount({ userId, password }))).code, "NotFound");
  }
});

Claim("keeps registration's rules", async () => {
  const userId = await imported("3", "Rules");
  await services.clients.account.registration({ userName: "owner", email: "taken@example.org", password });
  const cases: [string, string, string[]][] = [
    ["", "", ["password NotEmpty"]],
    ["short", "no address", ["password Length", "email Email"]],
    [password, "TAKEN@example.org", ["email AlreadyExists"]],
  ];
  for (const [given, email, fields] of cases) {
    const call = services.clients.account.claimAccount({ userId, password: given, email });
    assert.equal((await refusalOf(call)).fields, fields);
  }
  const [row] = await services.database.query("select claimed from account.account where user_id = $1", [userId]);
  assert.is(row?.claimed, false);
});

Claim("keeps the name as it is when the origin is imported once more", async () => {
  const userId = await imported("4", "Stays");
  await services.clients.account.claimAccount({ userId, password });
  await imported("4", "Renamed");
  assert.is((await services.clients.account.getAccount({ userId })).account?.userName, "Stays");
});

Claim.run();
