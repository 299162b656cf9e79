import * as assert from "uvu/assert";
import { releaseOnce } from "../../services/account/jobs/release-once.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool, type Pool } from "../../services/platform/postgres/pool.ts";
import { openTestServer } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import type { TestServer } from "../support/test-database.ts";

const Release = suite("release of a pool's client");
let server: TestServer;
let pool: Pool;

Release.before(async () => {
  server = await openTestServer();
  pool = releaseOnce(createPool(server.url("postgres", "postgres"), "test", createLog("test", "silent")));
});
Release.after(async () => {
  await pool.end();
  await server.stop();
});

Release("may be asked for twice, and counts once", async () => {
  const error = await new Promise<unknown>((resolve) =>
    pool.connect((_error, _client, release) => {
      try {
        release();
        release();
        resolve(undefined);
      } catch (failure) {
        resolve(failure);
      }
    }),
  );
  assert.is(error, undefined);
  assert.equal([pool.totalCount, pool.idleCount], [1, 1]);
});

Release("may be asked for when the pool gave no client", async () => {
  const ended = releaseOnce(createPool(server.url("postgres", "postgres"), "test", createLog("test", "silent")));
  await ended.end();
  const given = await new Promise<unknown[]>((resolve) =>
    ended.connect((error, client, release) => {
      release();
      resolve([error instanceof Error, client]);
    }),
  );
  assert.equal(given, [true, undefined]);
});

Release("keeps the other forms of the pool", async () => {
  const client = await pool.connect();
  assert.equal((await client.query("select 1 as one")).rows, [{ one: 1 }]);
  client.release();
  assert.equal((await pool.query("select 2 as two")).rows, [{ two: 2 }]);
});

Release.run();
