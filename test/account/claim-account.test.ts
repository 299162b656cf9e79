import * as assert from "uvu/assert";
import { password } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { importedAccount } from "./imported-account.ts";

const Claim = suite("claim account");
let services: TestServices;

Claim.before(async () => {
  services = await startTestServices();
});
Claim.after(() => services.stop());

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
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      services.clients.account.claimAccount({ userId, password: `${password} ${index}` }),
    ),
  );
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  const again = services.clients.account.claimAccount({ userId, password });
  assert.is((await refusalOf(again)).code, "FailedPrecondition");
});

Claim("refuses an account that was registered, and leaves its password unchanged", async () => {
  const { userId } = await services.clients.account.registration({ userName: "registered", password });
  const refusal = await refusalOf(services.clients.account.claimAccount({ userId, password: "other horse" }));
  assert.is(refusal.code, "FailedPrecondition");
  assert.is(
    (await services.clients.accountPeople.authenticate({ userName: "registered", password })).userId,
    `${userId}`,
  );
});

Claim("answers NotFound for an unknown user id", async () => {
  for (const userId of [0n, -1n, 7n]) {
    assert.is((await refusalOf(services.clients.account.claimAccount({ userId, password }))).code, "NotFound");
  }
});

Claim("checks password and e-mail address by the rules of a registration", async () => {
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

Claim("keeps the name of a claimed account when its archive is imported again with another name", async () => {
  const userId = await imported("4", "Stays");
  await services.clients.account.claimAccount({ userId, password });
  await imported("4", "Renamed");
  assert.is((await services.clients.account.getAccount({ userId })).account?.userName, "Stays");
});

Claim.run();
