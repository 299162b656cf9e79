import * as assert from "uvu/assert";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { releaseOnce } from "../../services/account/jobs/worker.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import type { Running } from "../../services/platform/lifecycle.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { eventually } from "../support/eventually.ts";
import { cheapHashes, launch } from "../support/launch.ts";
import { openWork } from "../support/open-work.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Outbox = suite("outbox");
let services: TestServices;
/** A social service whose answers for users 1, 4 and 6 wait until they are released. */
let socialService: Running;
const asked: bigint[] = [];
const pending = new Map([1n, 4n, 6n].map((userId) => [userId, openWork()]));

Outbox.before(async () => {
  socialService = await serveRpc({ host: "127.0.0.1", port: 0, log: createLog("test", "silent") }, (router) =>
    router.service(ProfileService, {
      async createProfile({ userId }) {
        asked.push(userId);
        await pending.get(userId)?.work();
        if (userId === 7n) throw new Error("not now");
        return {};
      },
    }),
  );
  services = await startTestServices({ SOCIAL_URL: socialService.url });
  await services.database.query(
    `insert into account.account (user_id, user_name, display_name, password_hash, claimed, created_at)
     select n, 'u' || n, 'U', 'x', true, '2020-01-01' from generate_series(1, 10) as n`,
  );
});
Outbox.after(async () => {
  await services.stop();
  await socialService.close();
});

const query = (text: string, values?: unknown[]) => services.database.query(text, values);
/** Adds a job that is due in so many hours; `queue`: of jobs that run one after the other. */
const add = (userId: string, key: string, hours = 0, queue: string | null = null) =>
  query(
    `select account_jobs.add_job('create-profile', $1::json, queue_name => $4, run_at => now() + $3 * interval '1 hour',
       job_key => $2)`,
    [JSON.stringify({ userId, failures: 0 }), key, hours, queue],
  );
const remove = (key: string) => query("select account_jobs.remove_job($1)", [key]);

const isRestarted = () => services.logged.some(({ msg }) => `${msg}`.includes("takes no jobs"));

Outbox("keeps a job that failed, with the error, and runs the others", async () => {
  await query("select account_jobs.add_job('create-profile', 'null', job_key => 'broken')");
  await eventually("the error of the job", async () => {
    const [job] = await query("select last_error, locked_by from account_jobs._private_jobs where key = 'broken'");
    return job?.last_error !== null && job?.locked_by === null;
  });
  await add("5", "five");
  await eventually("the next job", async () => asked.includes(5n));
  assert.not.ok(services.logged.some(({ msg }) => msg === "the outbox lost its database"));
  await remove("broken");
});

Outbox(
  "repeats a failed job in half a minute at most, also where the clock of its process is an hour ahead",
  async () => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      await add("7", "create-profile:7");
      const repeated = () =>
        query(`select run_at < now() + interval '1 minute' as is_soon from account_jobs._private_jobs
               where payload ->> 'failures' <> '0'`);
      await eventually("its repetition", async () => (await repeated()).length === 1);
      assert.equal(await repeated(), [{ is_soon: true }]);
    } finally {
      Date.now = now;
      await remove("create-profile:7");
    }
  },
);

Outbox("runs further jobs after one that could not be marked as done while others completed", async () => {
  await query(
    `create function account_jobs.refuse() returns trigger language plpgsql as
       $$ begin if old.payload ->> 'userId' = '2' then raise exception 'not now'; end if; return old; end $$;
     create trigger refuse before delete on account_jobs._private_jobs for each row execute function account_jobs.refuse()`,
  );
  for (const userId of ["1", "4", "6"]) await add(userId, userId);
  await eventually("three jobs under way", async () => [1n, 4n, 6n].every((userId) => asked.includes(userId)));
  await add("2", "2");
  await eventually("the logged failure", async () =>
    services.logged.some(({ msg }) => `${msg}`.startsWith("Failed to complete jobs")),
  );
  // Two successes after it: after one the library's count is right by chance.
  for (const key of ["4", "6"]) {
    pending.get(BigInt(key))?.end();
    const left = "select from account_jobs._private_jobs where key = $1";
    await eventually(key, async () => (await query(left, [key])).length === 0);
  }
  pending.get(1n)?.end();
  await query("drop trigger refuse on account_jobs._private_jobs");
  await add("3", "3");
  await eventually("the next job", async () => asked.includes(3n));
});

Outbox("runs a job whose last attempt was cut off, and one that has used up its attempts", async () => {
  await add("9", "cut off", 1);
  await add("10", "used up", 1);
  await query(
    `update account_jobs._private_jobs set run_at = now(), attempts = max_attempts,
       locked_at = case key when 'cut off' then now() - interval '11 seconds' end, locked_by = case key when 'cut off' then 'killed' end
     where key in ('cut off', 'used up')`,
  );
  await eventually("both jobs", async () => asked.includes(9n) && asked.includes(10n));
  assert.not.ok(isRestarted());
});

Outbox("restarts its worker when that takes no jobs though some are overdue", async () => {
  // The library skips a queue that another worker has locked; so this worker takes no jobs, like one that has stalled.
  await add("7", "overdue", 1, "held");
  await query(
    "update account_jobs._private_job_queues set locked_at = now(), locked_by = 'another' where queue_name = 'held'",
  );
  await query("update account_jobs._private_jobs set run_at = now() - interval '1 minute' where key = 'overdue'");
  await eventually("the new worker", async () => isRestarted(), 60);
  await remove("overdue");
  await add("8", "eight");
  await eventually("the next job", async () => asked.includes(8n));
});

Outbox.run();

const Stop = suite("a graceful stop of the account service");

Stop("leaves no job locked, not even the one that finishes last", async () => {
  const log = createLog("test", "silent");
  const begun: string[] = [];
  const { work, end } = openWork(begun);
  const social = await serveRpc({ host: "127.0.0.1", port: 0, log }, (router) =>
    router.service(ProfileService, {
      async createProfile() {
        await work();
        return {};
      },
    }),
  );
  const database = await createTestDatabase();
  const env = { ACCOUNT_DATABASE_URL: database.account, ACCOUNT_PORT: "0", SOCIAL_URL: social.url, ...cheapHashes };
  const account = await launch("account", env, { log });
  await database.query(
    `insert into account.account (user_id, user_name, display_name, password_hash, claimed, created_at)
     values (7, 'ann', 'Ann', 'x', true, '2020-01-01')`,
  );
  await database.query(
    `select account_jobs.add_job('create-profile', '{"userId":"7","failures":0}', job_key => 'create-profile:7')`,
  );
  await eventually("the job", async () => begun.length === 1);
  const closed = account.close();
  // The worker takes no more jobs: it is stopping, and its last job still runs.
  await eventually("the end of its listening", async () => {
    const listening = "select from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
    return (await database.query(listening)).length === 0;
  });
  end();
  await closed;
  const left = "select key, locked_at from account_jobs._private_jobs where key = 'create-profile:7'";
  assert.equal(await database.query(left), []);
  await social.close();
  await database.drop();
});

Stop.run();

// The library of the outbox asks twice when the connection on which it listens breaks while its worker stops.
const Release = suite("release of a pool's client");

Release("may be asked for twice, and counts once, and where the pool gave no client", async () => {
  const database = await createTestDatabase();
  const pool = releaseOnce(createPool(database.account, "test", createLog("test", "silent")));
  const releaseTwice = () =>
    new Promise<unknown>((resolve) =>
      pool.connect((_error, client, release) => {
        try {
          release();
          release();
          resolve(client);
        } catch (failure) {
          resolve(failure);
        }
      }),
    );
  assert.not.instance(await releaseTwice(), Error);
  assert.equal([pool.totalCount, pool.idleCount], [1, 1]);
  await pool.end();
  assert.is(await releaseTwice(), undefined);
  await database.drop();
});

Release.run();
