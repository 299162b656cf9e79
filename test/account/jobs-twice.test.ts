// Each job of the outbox may run twice, also long after its account has become another one.
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { idsOf, isDeleted, password, publish, register } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Jobs = suite("jobs that run again");
const services = useServices(Jobs);

/** Runs a job now, to its end, and then again. */
async function runTwice(task: string, payload: Record<string, unknown>): Promise<void> {
  for (let time = 0; time < 2; time++) await runJob(task, payload);
}

async function runJob(task: string, payload: Record<string, unknown>): Promise<void> {
  const { query } = services.database;
  const key = `${task}:again`;
  await query("select account_jobs.add_job($1, $2::json, job_key => $3)", [task, JSON.stringify(payload), key]);
  const left = "select from account_jobs._private_jobs where key = $1";
  await eventually(key, async () => (await query(left, [key])).length === 0);
  const failed = services.logged.filter(({ msg }) => `${msg}`.includes("could not be"));
  assert.equal(failed, []);
}

const creation = (userId: bigint, userName: string) => ({
  userId: `${userId}`,
  userName,
  displayName: "As registered",
  createdAt: "2020-01-01T00:00:00Z",
  failures: 0,
});
const deletion = (userId: bigint) => ({ userId: `${userId}`, failures: 0 });

const profilesOf = (screenName: string) =>
  services.database.query("select user_id, name, statuses_count from social.profile where lower(screen_name) = $1", [
    screenName,
  ]);

async function deleted(userName: string): Promise<bigint> {
  const userId = await register(services, userName);
  await services.clients.account.deleteAccount({ userId });
  await eventually("the deletion", () => isDeleted(services, userId));
  return userId;
}

Jobs("that create a profile leave one that has been changed since as it is", async () => {
  const userId = await register(services, "ann");
  await publish(services, userId);
  await services.clients.profiles.updateProfile({ userId, profile: { name: "Anna" }, updateMask: { paths: ["name"] } });
  await runTwice("create-profile", creation(userId, "ann"));
  assert.equal(await profilesOf("ann"), [{ user_id: `${userId}`, name: "Anna", statuses_count: 1 }]);
});

Jobs(
  "that create a profile make none for a deleted account, nor take its name from the next user, even where the social service forgot it",
  async () => {
    const gone = await deleted("bob");
    const next = await register(services, "bob");
    await services.database.query("delete from social.removed_profile where user_id = $1", [gone]);
    await runTwice("create-profile", creation(gone, "bob"));
    const { results } = await services.clients.social.socialUsers({ screenNames: ["bob"] });
    assert.equal(idsOf(results), [next]);
    assert.is((await profilesOf("bob")).length, 1);
  },
);

Jobs("that create a profile use the name of now for an account that was renamed", async () => {
  const userId = await register(services, "cleo");
  await services.database.query("delete from social.profile where user_id = $1", [userId]);
  await services.database.query("delete from social.screen_name where user_id = $1", [userId]);
  await services.database.query("update account.account set user_name = 'cleopatra' where user_id = $1", [userId]);
  const other = await register(services, "cleo");
  await runTwice("create-profile", creation(userId, "cleo"));
  const { results } = await services.clients.social.socialUsers({ screenNames: ["cleopatra", "cleo"] });
  assert.equal(idsOf(results), [userId, other]);
});

Jobs("that create a profile make none for an account that alone was restored, whose profile was deleted", async () => {
  const userId = await deleted("ida");
  await services.database.query(
    `insert into account.account (user_id, user_name, display_name, password_hash, claimed, created_at)
     values ($1, 'ida', 'Ida', 'x', true, '2020-01-01')`,
    [userId],
  );
  await runTwice("create-profile", creation(userId, "ida"));
  assert.equal(await profilesOf("ida"), []);
});

Jobs("that delete a profile leave that of an account which was renamed", async () => {
  const userId = await register(services, "joe");
  await publish(services, userId);
  await services.database.query("update account.account set user_name = 'joseph' where user_id = $1", [userId]);
  await runTwice("delete-profile", deletion(userId));
  assert.equal(await profilesOf("joe"), [{ user_id: `${userId}`, name: "joe", statuses_count: 1 }]);
});

Jobs("that delete a profile leave the next user of the name alone", async () => {
  const gone = await deleted("dora");
  const next = await register(services, "dora");
  await publish(services, next);
  await runTwice("delete-profile", deletion(gone));
  assert.equal(await profilesOf("dora"), [{ user_id: `${next}`, name: "dora", statuses_count: 1 }]);
  const { deletion: progress } = await services.clients.account.getDeletion({ userId: gone });
  assert.equal([progress?.complete, progress?.batches], [true, 1]);
});

Jobs("that delete a profile leave that of an account which a restore has brought back", async () => {
  const userId = await register(services, "erin");
  await publish(services, userId);
  await runTwice("delete-profile", deletion(userId));
  assert.equal(await profilesOf("erin"), [{ user_id: `${userId}`, name: "erin", statuses_count: 1 }]);
});

Jobs("that delete expired sessions leave those that stand", async () => {
  const userId = await register(services, "finn");
  const { sessionId } = await services.clients.accountPeople.authenticate({ userName: "finn", password });
  const { query } = services.database;
  await query("update account.session set expires_at = now() - interval '1 s' where not signed_in");
  await runTwice("delete-expired-sessions", {});
  assert.equal(await query("select from account.session where expires_at <= now()"), []);
  assert.is(await services.userOf(sessionId), userId);
});

Jobs("have keys that begin with the name of their kind", async () => {
  await services.stopSocial();
  const [one, two] = [await register(services, "gus"), await register(services, "hal")];
  await services.clients.account.deleteAccount({ userId: one });
  const { query } = services.database;
  await query("delete from account_jobs._private_jobs where key = 'create-profile:' || $1::text", [two]);
  assert.is((await services.clients.accountVerify.queueMissing({ userIds: [one, two] })).queued, 1);
  const rows = await query(
    `select task_identifier || ':' || (payload ->> 'userId') as expected, job.key
     from account_jobs.jobs as job join account_jobs._private_jobs as held using (id) where job.key is not null`,
  );
  await services.startSocial();
  const keys = rows.map(({ key }) => key);
  assert.ok(keys.includes(`delete-profile:${one}`) && keys.includes(`create-profile:${two}`), keys.join());
  const wrong = rows.filter(({ key, expected }) => key !== expected);
  assert.equal(wrong, []);
});

Jobs.run();
