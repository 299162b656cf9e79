import type pg from "pg";
import type { Pool } from "../../platform/postgres/pool.ts";

type Release = pg.PoolClient["release"];
type OnClient = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/**
 * Lets a client that a pool gives to a callback be released twice. The library of the outbox does so when the connection on which it listens
 * breaks while its worker stops. The pool would throw at the second time, in a promise that nothing handles, which ends the process.
 */
export function releaseOnce(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  const connectOnce = (callback?: OnClient) =>
    callback === undefined
      ? connect()
      : // Without a client the pool gives no release either.
        connect((error, client, release: Release | undefined) => {
          let unreleased = release;
          callback(error, client, (reason) => {
            unreleased?.(reason);
            unreleased = undefined;
          });
        });
  return Object.assign(pool, { connect: connectOnce as Pool["connect"] });
}
