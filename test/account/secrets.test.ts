import type { DescMessage } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { OperatorService } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { importedAccount } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Secrets = suite("secrets");
const services = useServices(Secrets, { SIGN_UP: "invite" });

Secrets("are marked as such in the contract", () => {
  const messages = [AccountService, OperatorService, PeopleService, SessionService].flatMap((service) =>
    service.methods.flatMap((method): DescMessage[] => [method.input, method.output]),
  );
  const fields = messages.flatMap((message) => message.fields);
  const secret = fields.filter(({ name }) => /password|session_id|^invitation$/.test(name));
  assert.ok(secret.length >= 12);
  const unmarked = secret.filter((field) => !field.proto.options?.debugRedact);
  assert.equal(unmarked.map(String), []);
});

Secrets("appear neither in the log nor in a table, whether their calls succeed or fail", async () => {
  const [first, second, wrong] = ["s3cret-one-horse", "s3cret-two-horse", "s3cret-bad-horse"];
  const { account, accountPeople, sessions, operator } = services.clients;
  const invite = async () => (await operator.makeInvitation({ uses: 1, maxAge: 3_600 })).invitation;
  const [invitation, unused] = [await invite(), await invite()];
  const invited = { headers: { "x-invitation": invitation } };
  const { userId } = await account.registration({ userName: "Sue", password: first }, invited);
  const ids = [(await accountPeople.authenticate({ userName: "Sue", password: first })).sessionId];
  ids.push((await accountPeople.authenticate({ userName: "Sue", password: first, sessionId: ids[0] })).sessionId);
  const own = { userId, sessionId: ids[1] as string };
  const signOut = { provider: "logout", sessionId: own.sessionId };
  await accountPeople.changePassword({ ...own, oldPassword: first, newPassword: second });
  await accountPeople.sessions(own);
  await sessions.findSessionUsers({ sessionIds: [own.sessionId] });
  await account.claimAccount({ userId: await importedAccount(account, "1"), password: first });

  const failing = () => [
    account.registration({ userName: "sue", password: wrong }),
    account.registration({ userName: "sue", password: wrong }, { headers: { "x-invitation": unused } }),
    operator.resetPassword({ userId, newPassword: "\u0000".repeat(1_100) + wrong }),
    operator.resetPassword({ userId: 1n, newPassword: wrong }),
    operator.findAccount({ userNameOrEmail: wrong }),
    account.registration({ userName: "-", password: wrong }),
    account.claimAccount({ userId, password: wrong }),
    accountPeople.changePassword({ ...own, oldPassword: wrong, newPassword: wrong }),
    accountPeople.authenticate({ userName: wrong, password: wrong, sessionId: ids[1] as string }),
    accountPeople.authenticate({ userName: "Sue", password: "", sessionId: ids[1] as string }),
  ];
  await Promise.allSettled(failing());
  const tables = await services.database.query(
    `select (select string_agg(a::text, ' ') from account.account a) || (select string_agg(s::text, ' ') from account.session s)
         || (select string_agg(i::text, ' ') from account.invitation i)
         || coalesce((select string_agg(payload::text, ' ') from account_jobs._private_jobs), '') as text`,
  );
  // Once more while the database is unavailable, which is logged.
  const outcomes = await services.database.whileUnavailable("account", () =>
    Promise.allSettled([
      ...failing(),
      accountPeople.authenticate(signOut),
      sessions.findSessionUsers({ sessionIds: [own.sessionId] }),
    ]),
  );
  assert.ok(outcomes.every(({ status }) => status === "rejected"));
  await accountPeople.authenticate(signOut);
  await operator.resetPassword({ userId, newPassword: second });

  assert.ok(services.logged.some(({ msg }) => msg === "the database is not available"));
  const seen = JSON.stringify([services.logged, tables]);
  assert.match(JSON.stringify(tables), "Sue");
  for (const secret of [first, second, wrong, invitation, unused, ...ids]) assert.not.ok(seen.includes(secret), secret);
});

Secrets.run();
