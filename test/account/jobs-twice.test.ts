// Each job of the outbox may run twice, also long after its account has become another one.
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { idsOf, isDeleted, password, publish, register } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Jobs = suite("jobs that run again");
const services = useServices(Jobs);

const query = (text: string, values?: unknown[]) => services.database.query(text, values);

/** Runs a job for a user now, to its end, and then again. */
async function runTwice(task: string, userId = 0n): Promise<void> {
  const key = `${task}:again`;
  const payload = JSON.stringify({ userId: `${userId}`, failures: 0 });
  for (let time = 0; time < 2; time++) {
    await query("select account_jobs.add_job($1, $2::json, job_key => $3)", [task, payload, key]);
    const left = "select from account_jobs._private_jobs where key = $1";
    await eventually(key, async () => (await query(left, [key])).length === 0);
    const failed = services.logged.filter(({ msg }) => `${msg}`.includes("could not be"));
    assert.equal(failed, []);
  }
}

const profilesOf = (screenName: string) =>
  query("select user_id, name, statuses_count from social.profile where lower(screen_name) = $1", [screenName]);

/** Registers a user who then has a status. */
async function registerPublisher(userName: string): Promise<bigint> {
  const userId = await register(services, userName);
  await publish(services, userId);
  return userId;
}

async function deleted(userName: string): Promise<bigint> {
  const userId = await register(services, userName);
  await services.clients.account.deleteAccount({ userId });
  await eventually("the deletion", () => isDeleted(services, userId));
  return userId;
}

Jobs("that create a profile leave one that has been changed since as it is", async () => {
  const userId = await registerPublisher("ann");
  await services.clients.profiles.updateProfile({ userId, profile: { name: "Anna" }, updateMask: { paths: ["name"] } });
  await runTwice("create-profile", userId);
  assert.equal(await profilesOf("ann"), [{ user_id: `${userId}`, name: "Anna", statuses_count: 1 }]);
});

Jobs(
  "that create a profile make none for a deleted account, nor take its name from the next user, even where the social service forgot it",
  async () => {
    const gone = await deleted("bob");
    const next = await register(services, "bob");
    await query("delete from social.removed_profile where user_id = $1", [gone]);
    await runTwice("create-profile", gone);
    const { results } = await services.clients.social.socialUsers({ screenNames: ["bob"] });
    assert.equal(idsOf(results), [next]);
    assert.is((await profilesOf("bob")).length, 1);
  },
);

Jobs("that create a profile use the name of now for an account that was renamed", async () => {
  const userId = await register(services, "cleo");
  await query("delete from social.profile where user_id = $1", [userId]);
  await query("delete from social.screen_name where user_id = $1", [userId]);
  await query("update account.account set user_name = 'cleopatra' where user_id = $1", [userId]);
  const other = await register(services, "cleo");
  await runTwice("create-profile", userId);
  const { results } = await services.clients.social.socialUsers({ screenNames: ["cleopatra", "cleo"] });
  assert.equal(idsOf(results), [userId, other]);
});

Jobs("that create a profile make none for an account that alone was restored, whose profile was deleted", async () => {
  const userId = await deleted("ida");
  await query(
    `insert into account.account (user_id, user_name, display_name, password_hash, claimed, created_at)
     values ($1, 'ida', 'Ida', 'x', true, '2020-01-01')`,
    [userId],
  );
  await runTwice("create-profile", userId);
  assert.equal(await profilesOf("ida"), []);
});

Jobs(
  "that delete a profile leave that of an account that stands, as after a restore, also under another name",
  async () => {
    const userId = await registerPublisher("joe");
    await query("update account.account set user_name = 'joseph' where user_id = $1", [userId]);
    await runTwice("delete-profile", userId);
    assert.equal(await profilesOf("joe"), [{ user_id: `${userId}`, name: "joe", statuses_count: 1 }]);
  },
);

Jobs("that delete a profile leave the next user of the name alone", async () => {
  const gone = await deleted("dora");
  const next = await registerPublisher("dora");
  await runTwice("delete-profile", gone);
  assert.equal(await profilesOf("dora"), [{ user_id: `${next}`, name: "dora", statuses_count: 1 }]);
  const { deletion: progress } = await services.clients.account.getDeletion({ userId: gone });
  assert.equal([progress?.complete, progress?.batches], [true, 1]);
});

Jobs("that delete expired sessions leave those that stand", async () => {
  const userId = await register(services, "finn");
  const { sessionId } = await services.clients.accountPeople.authenticate({ userName: "finn", password });
  await query("update account.session set expires_at = now() - interval '1 s' where not signed_in");
  await runTwice("delete-expired-sessions");
  assert.equal(await query("select from account.session where expires_at <= now()"), []);
  assert.is(await services.userOf(sessionId), userId);
});

Jobs.run();
