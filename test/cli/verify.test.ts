import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { importProfiles } from "../support/imports.ts";
import { idsOf, importedAccount, isDeleted, register } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";
import { runHere } from "./run-cli.ts";

const Verify = suite("cli: verify");
const services = useServices(Verify);
let ann: bigint;

Verify.before(async () => {
  ann = await register(services, "ann");
  await services.clients.statuses.publishStatus({ authorId: ann, text: "hello" });
});

const verify = (...options: string[]) =>
  runHere(["verify", ...options], { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl });
const query = (text: string, values?: unknown[]) => services.database.query(text, values);

Verify(
  "finds no fault in an imported user whom nobody has claimed, nor in a name that waits for its import",
  async () => {
    const userId = await importedAccount(services.clients.account, "1");
    await importedAccount(services.clients.account, "2");
    await importProfiles(services, { userId, profile: { screenName: "imported1" } });
    const err = `Roost: account service ${services.accountUrl}, social service ${services.socialUrl}\n`;
    const out =
      "2 profiles and 1 statuses recounted, 0 wrong counters\n3 accounts and 2 profiles compared, 0 differences\n";
    assert.equal(await verify(), { code: 0, out, err });
  },
);

Verify("finds what a dump of another moment leaves on one side only, and repairs what a job can repair", async () => {
  const [bare, gone, undone, renamed, half] = await Promise.all(
    ["bare", "gone", "undone", "renamed", "half"].map((name) => register(services, name)),
  );
  await services.clients.account.deleteAccount({ userId: half });
  const isEnded = () => isDeleted(services, half ?? 0n);
  await eventually("the deletion", isEnded);
  await query("update account.deletion set completed_at = null where user_id = $1", [half]);
  await query("delete from account_jobs._private_jobs where key is not null");
  // The social database is of an earlier moment for the first two, the account database for the third.
  for (const table of ["profile", "screen_name", "name_prefix"])
    await query(`delete from social.${table} where user_id = $1`, [bare]);
  await query("delete from account.account where user_id = $1", [gone]);
  await query("insert into account.deletion (user_id, completed_at) values ($1, now())", [gone]);
  await services.clients.profiles.deleteProfile({ userId: undone });
  await query("update account.account set user_name = 'other' where user_id = $1", [renamed]);
  const lone = { userId: 9n, screenName: "lone", name: "Lone", createdAt: { seconds: 1_500_000_000n } };
  await services.clients.profiles.createProfile(lone);
  const unrepaired = [
    "user 9: the profile @lone has no account",
    `user ${renamed}: the account is named other, the profile renamed`,
  ];
  const found = [
    `user ${bare}: the account bare has no profile`,
    `user ${gone}: was deleted, which the social service has not seen`,
    `user ${half}: was deleted, but something may be left`,
    `user ${undone}: undone was deleted, which the account service has not seen`,
  ];
  const differences = async (...options: string[]) => {
    const { code, out } = await verify(...options);
    assert.is(code, 1);
    return new Set(out.split("\n").filter((line) => line.startsWith("user ")));
  };
  assert.equal(await differences(), new Set([...found, ...unrepaired]));
  const repaired = found.map((line) => `${line}; is being repaired`);
  assert.equal(await differences("--repair"), new Set([...repaired, ...unrepaired]));
  const jobs = "select from account_jobs._private_jobs where key is not null";
  await eventually("the jobs", async () => (await query(jobs)).length === 0);
  assert.ok(await isEnded());
  assert.equal(await differences(), new Set(unrepaired));
  const { results } = await services.clients.social.socialUsers({ screenNames: ["bare", "gone", "undone"] });
  assert.equal(idsOf(results), [bare]);
  await query("update account.account set user_name = 'renamed' where user_id = $1", [renamed]);
  await services.clients.profiles.deleteProfile({ userId: 9n });
});

Verify("prints each counter that is wrong, with exit code 1", async () => {
  await query("update social.profile set followers_count = 7 where user_id = $1", [ann]);
  await query("update social.status set retweet_count = 3, id = 5 where author_id = $1", [ann]);
  const { code, out } = await verify();
  assert.is(code, 1);
  for (const text of [
    "followers_count is 7, counted 0",
    "last_status_id is \\d+, counted 5",
    "last_unrestricted_id is \\d+, counted 5",
  ]) {
    assert.match(out, new RegExp(`^user ${ann}: ${text}$`, "m"));
  }
  assert.match(out, `status 5 of user ${ann}: retweet_count is 3, counted 0\n`);
  assert.match(out, /recounted, 4 wrong counters\n/);
});

Verify.run();
