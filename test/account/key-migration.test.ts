import { hash } from "@node-rs/argon2";
import * as assert from "uvu/assert";
import { migrateTo } from "../support/migrate-to.ts";
import { password } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Migration = suite("migration of keys");
let services: TestServices;

/** Names and addresses that a Turkish database of the last version took for different ones, oldest first. */
const people: [userName: string, email: string | null][] = [
  ["first", "ÄNN@BÜCHER.example"],
  ["second", "änn@xn--bcher-kva.example"],
  ["third", "a\u0308nn@bücher.example"],
  ["IRIS", null],
  ["iris", "Plain@Example.org"],
  ["Iris", null],
  ["broken", "Old@xn--zzzzzzzzz.example"],
  ["number", "root@192.0.2.1"],
];
const idOf = (userName: string) => BigInt(1 + people.findIndex(([name]) => name === userName));

Migration.before(async () => {
  const database = await createTestDatabase("tr");
  await migrateTo(3, "account", database.account);
  const passwordHash = await hash(password);
  for (const [userName, email] of people) {
    await database.query(
      `insert into account.account (user_id, user_name, display_name, email, password_hash, claimed, created_at)
       values ($1, $2, $2, $3, $4, true, now())`,
      [idOf(userName), userName, email, passwordHash],
    );
  }
  services = await startTestServices({}, database);
});
Migration.after(() => services.stop());

const signIn = async (userName: string) =>
  BigInt((await services.clients.accountPeople.authenticate({ userName, password })).userId);

Migration("keeps every account: each is found by its name and e-mail address as they were registered", async () => {
  for (const [userName, email] of people) {
    assert.is(await signIn(userName), idOf(userName), userName);
    if (email !== null) assert.is(await signIn(email), idOf(userName), email);
    const { account } = await services.clients.account.getAccount({ userId: idOf(userName) });
    assert.equal([account?.userName, account?.email], [userName, email ?? undefined]);
  }
});

Migration("gives an address that several accounts have under the new rule to the oldest one", async () => {
  for (const spelling of ["änn@bücher.example", "Änn@xn--bcher-kva.example"])
    assert.is(await signIn(spelling), idOf("first"), spelling);
  assert.is(await signIn("plain@EXAMPLE.org"), idOf("iris"));
});

Migration("gives a name that several accounts have under the new rule to the one in lower case", async () => {
  for (const spelling of ["iris", "iRIS"]) assert.is(await signIn(spelling), idOf("iris"), spelling);
});

Migration("stores the new key of each address, and an exact key where that is taken or invalid", async () => {
  const rows = await services.database.query(
    "select user_name, email_key from account.account where email is not null order by user_id",
  );
  assert.equal(
    rows.map((row) => [row.user_name, row.email_key]),
    [
      ["first", "änn@xn--bcher-kva.example"],
      ["second", "exact änn@xn--bcher-kva.example"],
      ["third", "exact a\u0308nn@bücher.example"],
      ["iris", "plain@example.org"],
      ["broken", "exact Old@xn--zzzzzzzzz.example"],
      ["number", "exact root@192.0.2.1"],
    ],
  );
});

Migration("refuses registrations of names and addresses that existed before", async () => {
  const { registration } = services.clients.account;
  for (const [request, field] of [
    [{ userName: "fourth", email: "ÄNN@bücher.EXAMPLE", password }, "email"],
    [{ userName: "irIs", password }, "userName"],
  ] as const)
    assert.equal((await refusalOf(registration(request))).fields, [`${field} AlreadyExists`]);
});

Migration("refuses an address without a key, as a process of the last version would insert it", async () => {
  const added = services.database.query(
    `insert into account.account (user_id, user_name, display_name, email, claimed, created_at)
     values (99, 'late', 'late', 'late@example.org', false, now())`,
  );
  const reason = await added.then(
    () => "added",
    (error: Error) => error.message,
  );
  assert.match(reason, "account_email_has_key");
});

Migration.run();
