import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { type Login, parseLogin } from "../../services/account/domain/login.ts";
import { listNamedAccounts, listNewestAccounts } from "../../services/account/store/accounts.ts";
import type { Db } from "../../services/platform/postgres/pool.ts";
import { password, register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Operator = suite("the operator's calls");
const services = useServices(Operator);
let annId: bigint;

Operator.before(async () => {
  annId = await register(services, "Ann", { email: "Ann@Example.org" });
});

Operator("find an account by name or address in any case", async () => {
  for (const userNameOrEmail of ["ann", "ANN", " ann@example.ORG "]) {
    const { account } = await services.clients.operator.findAccount({ userNameOrEmail });
    assert.equal([account?.userId, account?.userName, account?.email], [annId, "Ann", "Ann@Example.org"]);
  }
  for (const userNameOrEmail of ["", "bob", "bob@example.org", "a\u0000"])
    assert.is((await refusalOf(services.clients.operator.findAccount({ userNameOrEmail }))).code, "NotFound");
});

Operator("list accounts by the beginning of a name, by an address, or the newest", async () => {
  for (const userName of ["Nan", "nan_2", "Nap"]) await register(services, userName);
  const search = async (search: string, take?: number) => {
    const { accounts, more } = await services.clients.operator.searchAccounts({ search, take });
    return [accounts.map(({ account }) => account?.userName).join(" "), more];
  };
  assert.equal(await search("NAN"), ["Nan nan_2", false]);
  assert.equal(await search("na", 2), ["Nan nan_2", true]);
  assert.equal(await search("@nap"), ["Nap", false]);
  assert.equal(await search("ann@EXAMPLE.org"), ["Ann", false]);
  assert.equal(await search(" ", 2), ["Nap nan_2", true]);
  for (const nobody of ["an@example.org", "n%", "n_p", "a\u0000", "x".repeat(2_000)])
    assert.equal(await search(nobody), ["", false], nobody);
  const refusal = await refusalOf(services.clients.operator.searchAccounts({ take: 0 }));
  assert.equal(refusal.fields, ["take InclusiveBetween"]);
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

Operator("list accounts by an index, however many there are", async () => {
  await services.database.query(
    `insert into account.account (user_id, user_name, display_name, claimed, created_at)
     select number, 'many' || number, '', false, now() from generate_series(1, 20000) as number`,
  );
  await services.database.query("analyze account.account");
  const planOf = async (list: (db: Db) => Promise<unknown>) => {
    let plan = "";
    const explain = async ({ text, values }: { text: string; values: unknown[] }) => {
      const rows = await services.database.query(`explain (costs off) ${text}`, values);
      plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      return { rows: [] };
    };
    await list({ query: explain } as unknown as Db);
    return plan;
  };
  const byNameOrAddress = (search: string) => (db: Db) => listNamedAccounts(db, parseLogin(search) as Login, 101);
  assert.match(await planOf(byNameOrAddress("many1")), /^Limit\n {2}-> {2}Index Scan using account_name_key/);
  assert.match(await planOf(byNameOrAddress("ann@example.org")), /Index Scan (?:using|on) account_email_key/);
  assert.match(
    await planOf((db) => listNewestAccounts(db, 101)),
    /^Limit\n {2}-> {2}Index Scan Backward using account_pkey/,
  );
  await services.database.query("delete from account.account where user_id <= 20000");
});

Operator("list an account whose deletion has begun", async () => {
  const { account, operator } = services.clients;
  const userId = await register(services, "Oda", { email: "oda@example.org" });
  await services.stopSocial();
  await account.deleteAccount({ userId });
  const [{ account: left, deletionRequestedAt } = {}] = (await operator.searchAccounts({ search: "oda" })).accounts;
  assert.equal([left?.userId, left?.email], [userId, undefined]);
  assert.ok(deletionRequestedAt);
  assert.is((await refusalOf(operator.findAccount({ userNameOrEmail: "oda" }))).code, "NotFound");
});

Operator.run();
