import * as assert from "uvu/assert";
import { ProfileService } from "../../proto/gen/social/v1/profile_service_pb.ts";
import { serveRpc } from "../../services/platform/connect/server.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { cheapHashes, launch } from "../support/launch.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";

const Stop = suite("a graceful stop of the account service");

Stop("leaves no job locked, not even the one that finishes last", async () => {
  const log = createLog("test", "silent");
  let begin = () => {};
  let finish = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const social = await serveRpc({ host: "127.0.0.1", port: 0, log }, (router) =>
    router.service(ProfileService, {
      async createProfile() {
        begin();
        await finished;
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
  await begun;
  const closed = account.close();
  // The worker takes no more jobs: it is stopping, and its last job still runs.
  await eventually("the end of its listening", async () => {
    const listening = "select from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
    return (await database.query(listening)).length === 0;
  });
  finish();
  await closed;
  assert.equal(
    await database.query("select key, locked_at from account_jobs._private_jobs where key = 'create-profile:7'"),
    [],
  );
  await social.close();
  await database.drop();
});

Stop.run();
