import { hash } from "@node-rs/argon2";
import * as assert from "uvu/assert";
import { migrateTo } from "../support/migrate-to.ts";
import { password } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Emails = suite("e-mail addresses");
let services: TestServices;

/** Each list is one address in several spellings. */
const spellings = [
  ["änn@bücher.example", "ÄNN@BÜCHER.example", "a\u0308nn@bu\u0308cher.example", "änn@XN--BCHER-KVA.Example"],
  ["jürgen@straße.example", "JÜRGEN@STRAẞE.EXAMPLE", "jürgen@xn--strae-oqa.example"],
  ["σίσυφος@example.org", "ΣΊΣΥΦΟΣ@EXAMPLE.ORG", "σίσυφοσ@example.org"],
  ["weiß@example.org", "WEIẞ@example.org", "weiss@example.org", "WEISS@example.org"],
  ["ilker@example.org", "ILKER@EXAMPLE.ORG"],
  ["wide@example.org", "wide@ｅｘａｍｐｌｅ.org"],
  ["kelvin@example.org", "\u212Aelvin@example.org"],
  ["anna@kiosk.example", "anna@\u212Aiosk.example", "anna@kio\u017Fk.example", "ANNA@KIOSK.EXAMPLE"],
  // Similar addresses of different users.
  ["ann@bücher.example"],
  ["änn@bucher.example"],
  ["jürgen@strasse.example"],
  ["i\u0307lker@example.org", "İLKER@example.org"],
];

const unusable = [
  "ann＠example.org",
  "ann@example．org",
  "ann@example。org",
  "ann@example.org.",
  "ann@xn--zzzzzzzzz.example",
  "ann@xn--bücher.example",
  "ann@exa\u00admple.org",
  "ann@192.0.2.1",
  "ann@example.0x7f",
  "ann@xn--a.example",
  "ann@1.2",
  "ann@0x7f.0x1",
  `ann@${"ü".repeat(63)}.example`,
  "ann@\ud800.example",
];

Emails.before(async () => {
  // In Turkish the lower case of I is ı.
  services = await startTestServices({}, await createTestDatabase("tr"));
});
Emails.after(() => services.stop());

Emails("sign in to one account in each of their spellings, and register no second one", async () => {
  const { account, accountPeople } = services.clients;
  for (const [index, list] of spellings.entries()) {
    const [email = ""] = list;
    const { userId } = await account.registration({ userName: `person${index}`, email, password });
    for (const other of list) {
      assert.is((await accountPeople.authenticate({ userName: other, password })).userId, `${userId}`, other);
      const refusal = await refusalOf(account.registration({ userName: "second", email: other, password }));
      assert.equal(refusal.fields, ["email AlreadyExists"], other);
    }
    assert.is((await account.getAccount({ userId })).account?.email, email);
  }
});

Emails("are registered once by concurrent registrations in different spellings", async () => {
  const list = ["zoë@zoë.example", "ZOË@ZOË.EXAMPLE", "zoe\u0308@xn--zo-ija.example", "Zoë@Zoe\u0308.example"];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => {
      const email = list[index % list.length] as string;
      return services.clients.account.registration({ userName: `zoe${index}`, email, password });
    }),
  );
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
});

Emails("that are invalid are refused with the code Email, and sign no user in", async () => {
  for (const email of unusable) {
    const refusal = await refusalOf(services.clients.account.registration({ userName: "unusable", email, password }));
    assert.equal(refusal.fields, ["email Email"], email);
    const signIn = services.clients.accountPeople.authenticate({ userName: email, password });
    assert.is((await refusalOf(signIn)).code, "Unauthenticated", email);
  }
});

Emails("and user names are compared alike in a database with Turkish collation", async () => {
  const { account, accountPeople } = services.clients;
  const { userId } = await account.registration({ userName: "IRIS", password });
  const refusal = await refusalOf(account.registration({ userName: "iris", password }));
  assert.equal(refusal.fields, ["userName AlreadyExists"]);
  for (const userName of ["iris", "Iris", "IRIS"])
    assert.is((await accountPeople.authenticate({ userName, password })).userId, `${userId}`);
  for (const userName of ["ırıs", "İris"])
    assert.is((await refusalOf(accountPeople.authenticate({ userName, password }))).code, "Unauthenticated");
});

Emails.run();

const Migration = suite("migration of keys");
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

Migration("gives an address that several have now to the oldest one, and a name to the one in lower case", async () => {
  for (const spelling of ["änn@bücher.example", "Änn@xn--bcher-kva.example"])
    assert.is(await signIn(spelling), idOf("first"), spelling);
  for (const spelling of ["plain@EXAMPLE.org", "iris", "iRIS"])
    assert.is(await signIn(spelling), idOf("iris"), spelling);
});

Migration("refuses an address without a key, as a process of the last version would insert it", async () => {
  const insert = `insert into account.account (user_id, user_name, display_name, email, claimed, created_at)
                  values (99, 'late', 'late', 'late@example.org', false, now())`;
  const refused = await services.database.query(insert).catch((error: Error) => error.message);
  assert.match(String(refused), "account_email_has_key");
});

Migration.run();
