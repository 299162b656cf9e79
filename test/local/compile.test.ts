import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { compile, isStarted } from "../../compile/compile.ts";
import { suite } from "../support/suite.ts";

const Compile = suite("compile");

const root = join(import.meta.dirname, "../..");

/** The command of `npm start`, with arguments. */
function npmStart(...args: string[]): string {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return execFileSync("sh", ["-c", `${scripts.start} "$@"`, "npm start", ...args], { cwd: root, encoding: "utf8" });
}

Compile("runs npm start without a loader", () => {
  assert.match(npmStart("--help"), "npm start");
  const options = execFileSync(process.execPath, ["--import", "tsx", "compile/main.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.is(options, "--require ./.roost/compiled/run-compiled.cjs\n");
});

Compile("gives each process a text of ASCII, which takes one byte a letter", async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "compile-test-"));
  try {
    await compile({ root, folder, folders: ["gateway"], isCompiled: isStarted, isShort: true });
    const text = readFileSync(join(folder, "gateway/main.mjs"), "latin1");
    assert.match(text, " \\u2013 Roost</title>");
    assert.not.match(text, /[\x80-\xff]/);
    assert.ok(text.length < 3_500_000, `${text.length} letters`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Compile("has processes run with the loader where it cannot compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-compile-"));
  try {
    cpSync(join(root, "compile"), join(folder, "compile"), { recursive: true });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    // There are no sources.
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "compile/main.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.is(stdout, "--import tsx\n");
    assert.match(stderr, "not compiled");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Compile.run();
