import net from "node:net";
import * as assert from "uvu/assert";
import { createLog } from "../../services/platform/log.ts";
import { isConnectionFailure } from "../../services/platform/postgres/failures.ts";
import { createPool, type Pool, transaction } from "../../services/platform/postgres/pool.ts";
import { listen } from "../support/listen.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";

const Pools = suite("pool");
const log = createLog("test", "silent");
const readyForQuery = "Z\0\0\0\x05I";
const signedIn = `R\0\0\0\x08\0\0\0\0${readyForQuery}`;

/** Runs work on a pool whose server accepts every user and answers each query with these bytes. */
async function against<T>(answer: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.once("data", () => {
      socket.write(signedIn, "latin1");
      socket.on("data", () => socket.write(answer, "latin1"));
    });
  });
  const port = await listen(server);
  const pool = createPool(`postgres://a@127.0.0.1:${port}/a?sslmode=disable`, "test", log);
  try {
    return await work(pool);
  } finally {
    // Before the pool ends, which would wait for an answer.
    for (const socket of sockets) socket.destroy();
    await pool.end();
    await new Promise((resolve) => server.close(resolve));
  }
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

Pools("reads dates whatever form of them the database has been set to", async () => {
  const database = await createTestDatabase();
  const name = new URL(database.social).pathname.slice(1);
  await database.query(`alter database ${name} set datestyle = 'German, DMY'`);
  const pool = createPool(database.social, "test", log);
  const { rows } = await pool.query("select timestamptz '2006-02-01 03:04:05.678+00' as at");
  await pool.end();
  await database.drop();
  assert.equal(rows, [{ at: new Date("2006-02-01T03:04:05.678Z") }]);
});

Pools("counts a commit as confirmed only by Postgres's reply to it", async () => {
  let worked = false;
  const failure = await against(readyForQuery, (pool) =>
    failureOf(
      transaction(pool, async () => {
        worked = true;
      }),
    ),
  );
  assert.ok(worked);
  assert.match(String(failure), "the commit was not confirmed");
  assert.ok(isConnectionFailure(failure));
});

Pools("does not count a commit as confirmed when the coordinator warns that a worker has not made it", async () => {
  for (const said of [
    "failed to commit transaction on 10.0.0.1:5432",
    "connection to the remote node social@10.0.0.1:5432 failed",
  ]) {
    const notice = errorOf("01000", said, "N");
    const failure = await against(`${notice}C\0\0\0\x0bCOMMIT\0${readyForQuery}`, (pool) =>
      failureOf(transaction(pool, async () => {})),
    );
    assert.match(String(failure), `the commit was not confirmed: ${said}`);
    assert.ok(isConnectionFailure(failure));
  }
});

Pools("does not count the commit of a failed transaction as confirmed", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.social, "test", log);
  const failure = await failureOf(
    transaction(pool, async (db) => {
      await db.query("select 1/0").catch(() => {});
    }),
  );
  assert.match(String(failure), "the commit was not confirmed");
  await pool.end();
  await database.drop();
});

for (const [what, bytes] of [
  ["a message of an unknown type", "\x7f\0\0\0\x08abcd"],
  ["a connection that a coordinator lost to a worker", errorOf("XX000", "server closed the connection unexpectedly")],
  ["rows that a coordinator could not send", errorOf("58030", "failed to COPY to shard 7 on 10.0.0.1:5432")],
  ["a database that is just being renamed", errorOf("3D000", 'database "roost" does not exist')],
  ["a database that is closed", errorOf("55000", 'database "roost" is not currently accepting connections')],
  ["a password that was just changed", errorOf("28P01", 'password authentication failed for user "a"')],
  ["a truncated error", "E\0\0\0\x09Sx\0\0\0"],
  // The parser throws in a handler of the socket.
  ["a sign-in of an unknown kind", "R\0\0\0\x08\0\0\0\x63"],
] as const) {
  Pools(`counts ${what} as an unavailable database, not as a defect`, async () => {
    const failure = await against(bytes, (pool) => failureOf(pool.query("select 1")));
    assert.ok(isConnectionFailure(failure), String(failure));
  });
}

/** The bytes of an error, or of a notice, with this state and message. */
function errorOf(state: string, message: string, type: "E" | "N" = "E"): string {
  const fields = `SERROR\0C${state}\0M${message}\0\0`;
  return `${type}\0\0\0${String.fromCharCode(4 + fields.length)}${fields}`;
}

Pools.run();
