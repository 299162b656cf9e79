import * as assert from "uvu/assert";
import { password, register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Users = suite("the users of sessions");
let services: TestServices;

Users.before(async () => {
  services = await startTestServices();
});
Users.after(() => services.stop());

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
