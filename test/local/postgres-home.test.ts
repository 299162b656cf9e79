import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { binariesIn, findBinaries } from "../../services/local/postgres/binaries.ts";
import { copyBinaries } from "../../services/local/postgres/choose-server.ts";
import { type Postgres, startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { useFolder } from "../support/folder.ts";
import { suite } from "../support/suite.ts";
import { queryOnce } from "../support/test-database.ts";
import { reasonOf } from "./local-system.ts";

const Home = suite("embedded Postgres: home");

const folder = makeDataFolder("roost-home-");
const deep = join(folder, "deep-".repeat(30));

const running: Postgres[] = [];
const start = async () => {
  const postgres = await startPostgres({ home: deep, durable: false });
  running.push(postgres);
  return postgres;
};

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

function linksInto(directory: string): string[] {
  const entries = readdirSync(tmpdir(), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return entries.map(({ name }) => readlinkSync(join(tmpdir(), name))).filter((target) => target.startsWith(directory));
}

const Binaries = suite("embedded Postgres: binaries");

const binaries = useFolder(Binaries);

Binaries("names a platform without an embedded Postgres in the error", async () => {
  assert.match(await reasonOf(findBinaries("sunos-sparc")), "There is no embedded Postgres for sunos-sparc");
});

Binaries("copies the programs for a user who cannot read them, and replaces an earlier copy", () => {
  const root = join(binaries.path, "programs");
  const old = binaries.write("programs/bin/old", "");
  const first = copyBinaries(binariesIn(root), binaries.path);
  renameSync(old, join(root, "bin", "postgres"));
  const second = copyBinaries(binariesIn(root), binaries.path);
  const copied = readdirSync(join(second.root, "bin"));
  const mode = statSync(second.root).mode & 0o777;
  rmSync(second.root, { recursive: true });
  assert.is(second.root, first.root);
  assert.equal(copied, ["postgres"]);
  assert.is(mode, 0o755);
});

Binaries.run();
