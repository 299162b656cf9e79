import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { binariesIn, findBinaries } from "../../services/local/postgres/binaries.ts";
import { linkLibraries } from "../../services/local/postgres/library-links.ts";
import { copyBinaries } from "../../services/local/postgres/private-copy.ts";
import { suite } from "../support/suite.ts";

const Binaries = suite("embedded Postgres: binaries");

const folder = mkdtempSync(join(tmpdir(), "roost-binaries-"));

Binaries.after(() => rmSync(folder, { recursive: true }));

Binaries("names a platform without an embedded Postgres in the error", async () => {
  const reason = await findBinaries("sunos-sparc").catch((error: Error) => error.message);
  assert.match(String(reason), "There is no embedded Postgres for sunos-sparc");
});

Binaries("makes the links of a binary package once", () => {
  const root = join(folder, "native");
  mkdirSync(join(root, "lib"), { recursive: true });
  writeFileSync(join(root, "lib", "libpq.so.5.17"), "library");
  const links = [{ source: "native/lib/libpq.so.5.17", target: "native/lib/libpq.so.5" }];
  writeFileSync(join(root, "pg-symlinks.json"), JSON.stringify(links));
  linkLibraries(root);
  linkLibraries(root);
  assert.is(readFileSync(join(root, "lib", "libpq.so.5"), "utf8"), "library");
});

Binaries("copies the programs for a user who cannot read them, and replaces an earlier copy", () => {
  const root = join(folder, "programs");
  mkdirSync(join(root, "bin"), { recursive: true });
  writeFileSync(join(root, "bin", "old"), "");
  const first = copyBinaries(binariesIn(root), folder);
  renameSync(join(root, "bin", "old"), join(root, "bin", "postgres"));
  const second = copyBinaries(binariesIn(root), folder);
  const copied = readdirSync(join(second.root, "bin"));
  const mode = statSync(second.root).mode & 0o777;
  rmSync(second.root, { recursive: true });
  assert.is(second.root, first.root);
  assert.equal(copied, ["postgres"]);
  assert.is(mode, 0o755);
});

Binaries.run();
