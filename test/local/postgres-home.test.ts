import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { queryOnce } from "../support/query-once.ts";
import { suite } from "../support/suite.ts";

const Home = suite("embedded Postgres: home");

const folder = makeDataFolder("roost-home-");
const deep = join(folder, "deep-".repeat(30));

const running: Postgres[] = [];

Home.after(async () => {
  for (const postgres of running) await postgres.stop();
  assert.equal(linksInto(folder), [], "no short links are left");
  rmSync(folder, { recursive: true });
});

Home("may have a path too long for a socket, and is cleared of an interrupted start", async () => {
  const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(gone, "exit");
  mkdirSync(join(deep, "postgres", `data.${gone.pid}.abcdef`, "base"), { recursive: true });
  const postgres = await start();
  assert.equal(await queryOnce(postgres.url("postgres", "postgres"), "select 1 as one"), [{ one: 1 }]);
  assert.match(await reasonOf(start()), "is in use");
  assert.equal(await queryOnce(postgres.url("postgres", "postgres"), "select 2 as two"), [{ two: 2 }]);
  await postgres.stop();
  assert.equal(readdirSync(join(deep, "postgres")), ["data"]);
});

Home("reports why Postgres did not start", async () => {
  const version = join(deep, "postgres", "data", "PG_VERSION");
  const text = readFileSync(version, "utf8");
  writeFileSync(version, "9.6\n");
  const reason = await reasonOf(start());
  writeFileSync(version, text);
  assert.match(reason, "Postgres did not start (exit code 1)");
  assert.match(reason, /initialized by PostgreSQL version 9\.6/);
});

Home.run();

async function start(): Promise<Postgres> {
  const postgres = await startPostgres({ home: deep, durable: false });
  running.push(postgres);
  return postgres;
}

function linksInto(directory: string): string[] {
  const entries = readdirSync(tmpdir(), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return entries.map(({ name }) => readlinkSync(join(tmpdir(), name))).filter((target) => target.startsWith(directory));
}

async function reasonOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => assert.unreachable("it should have been refused"),
    (error: Error) => error.message,
  ) as Promise<string>;
}
