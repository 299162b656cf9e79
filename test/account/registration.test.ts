import * as assert from "uvu/assert";
import { startCallCounter } from "../support/call-counter.ts";
import { eventually } from "../support/eventually.ts";
import { strongHashes } from "../support/launch.ts";
import { times } from "../support/long.ts";
import { password, valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Registration = suite("registration");
let services: TestServices;

Registration.before(async () => {
  // On a busy machine a hash takes long, and no test here is about refusals of a full queue.
  services = await startTestServices({ ...strongHashes, PASSWORD_QUEUE_MS: "60000", RESERVED_NAMES: "mayor" });
});
Registration.after(() => services.stop());

const register = (request: Parameters<TestServices["clients"]["account"]["registration"]>[0]) =>
  services.clients.account.registration(request);

Registration("removes its outbox job once the profile exists", async () => {
  await register({ userName: "dequeued", password });
  // So that the job does not run.
  await services.database.query("update account_jobs._private_jobs set run_at = now() + interval '1 hour'");
  const jobs = "select from account_jobs.jobs where task_identifier = 'create-profile'";
  await eventually("no job left", async () => (await services.database.query(jobs)).length === 0);
});

Registration("refuses names that the settings reserve, and derives none of them", async () => {
  const refused = await refusalOf(register({ userName: "Mayor", password: "password" }));
  assert.equal(refused.fields, ["userName RegularExpression", "password RegularExpression"]);
  const { userName } = await register({ displayName: "Mayor", email: "mayor@example.org", password });
  assert.match(userName, /^mayor\d+$/);
});

const racers = times(200, 1_000);

Registration(
  `lets one of ${racers} concurrent registrations of a name in mixed case succeed, by one hash`,
  async () => {
    const hashes = await startCallCounter("makeHash");
    const spelling = (index: number) =>
      [..."racer"].map((c, bit) => (index & (1 << bit) ? c.toUpperCase() : c)).join("");
    const outcomes = await Promise.allSettled(
      Array.from({ length: racers }, (_, index) => register({ userName: spelling(index), password })),
    );
    assert.is(await hashes.calls(), 1);
    await hashes.stop();
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.is(refused.length, racers - 1);
    const reasons = await Promise.all(refused.map(({ reason }) => refusalOf(Promise.reject(reason))));
    const kinds = new Set(reasons.map((reason) => `${reason.code} ${reason.errorCode} ${reason.fields}`));
    assert.equal([...kinds], ["AlreadyExists AlreadyExists userName AlreadyExists"]);
    const rows = await services.database.query("select user_name from account.account where name_key = 'racer'");
    assert.is(rows.length, 1);
  },
);

Registration("gives different names to many concurrent registrations that derive the same one", async () => {
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      register({ displayName: "Same Name", email: `same${index}@derived.example`, password }),
    ),
  );
  assert.is(new Set(replies.map(({ userName }) => userName)).size, 12);
});

Registration("stores the other accounts of a batch when one cannot be stored", async () => {
  await services.database.query(
    `create function account.refuse() returns trigger language plpgsql as
       $$ begin if new.user_name = 'unstorable' then raise exception 'not this one'; end if; return new; end $$;
     create trigger refuse before insert on account.account for each row execute function account.refuse()`,
  );
  const names = ["stored_1", "stored_2", "unstorable", "stored_3", "stored_4"];
  const outcomes = await Promise.allSettled(names.map((userName) => register({ userName, password })));
  await services.database.query("drop trigger refuse on account.account");
  assert.equal(
    valuesOf(outcomes, "status"),
    names.map((name) => (name === "unstorable" ? "rejected" : "fulfilled")),
  );
  await register({ userName: "unstorable", password });
});

Registration("creates all profiles though the database ends the outbox's connections while its jobs run", async () => {
  await services.stopSocial();
  const names = Array.from({ length: 12 }, (_, index) => `cut_off_${index}`);
  await Promise.all(names.map((userName) => register({ userName, password })));
  // All jobs are due at once in each round, while the worker's connections are killed.
  for (let round = 0; round < 12; round++) {
    await services.database.query("update account_jobs._private_jobs set run_at = now() where locked_at is null");
    await services.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'roost-account-outbox' and datname = current_database()`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await services.startSocial();
  const isWhole = async () => {
    // Only jobs that wait for a repetition: a job that is due keeps its time, by which a stalled worker is found.
    await services.database.query(
      "update account_jobs._private_jobs set run_at = now() where locked_at is null and run_at > now()",
    );
    const { results } = await services.clients.social.socialUsers({ screenNames: names });
    return results.length === names.length;
  };
  // A stalled worker is replaced after 12 s, and its jobs are released after 10 s more.
  await eventually("every profile", isWhole, 90);
});

async function accounts(): Promise<number> {
  const [row] = await services.database.query("select count(*)::int from account.account");
  return row?.count as number;
}

Registration("makes no accounts for callers whose deadline has passed while they were queued", async () => {
  const before = await accounts();
  const calls = Array.from({ length: 200 }, (_, index) =>
    services.clients.account.registration({ userName: `gone_${index}`, password }, { timeoutMs: 150 }).then(
      () => true,
      () => false,
    ),
  );
  const acknowledged = (await Promise.all(calls)).filter(Boolean).length;
  assert.ok(acknowledged < 200);
  // Some were being made when their caller left; without the check all 200 would be made.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = await accounts();
  assert.ok(after - before <= acknowledged + 40, `${after - before} for ${acknowledged}`);
});

/** Registers a user at whose first insert a trigger does this instead. */
async function registerAfter(action: string, userName: string): Promise<string> {
  await services.database.query(`
    create sequence account.inserts;
    grant all on sequence account.inserts to public;
    create function account.act_once() returns trigger language plpgsql as $$
    begin
      if new.user_name = '${userName}' and nextval('account.inserts') = 1 then ${action}; end if;
      return new;
    end $$;
    create trigger act_once before insert on account.account for each row execute function account.act_once()`);
  try {
    return (await register({ userName, password })).userName;
  } finally {
    await services.database.query("drop function account.act_once cascade; drop sequence account.inserts");
  }
}

Registration("succeeds after a deadlock with another process", async () => {
  assert.is(await registerAfter("raise exception 'deadlock' using errcode = '40P01'", "crossed"), "crossed");
});

Registration("takes a name that was taken when it was inserted, and free when it was looked up", async () => {
  // As if a row with the name had been there, and had been deleted since.
  assert.is(await registerAfter("return null", "freed"), "freed");
});

Registration.run();
