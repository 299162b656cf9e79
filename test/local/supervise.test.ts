import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { compile, isStarted } from "../../compile/compile.ts";
import { type Supervised, supervise } from "../../services/local/supervise.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Supervise = suite("supervision");
let folder: string;
let supervised: Supervised | undefined;

Supervise.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), "roost-supervise-"));
});
Supervise.after.each(async () => {
  await supervised?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that records the time of each start, and fails in the runs of these numbers. */
function program(failing: readonly number[]): { main: string; starts(): number[]; reportedReady(): string } {
  const [main, starts, ready] = [join(folder, "program.mjs"), join(folder, "starts"), join(folder, "ready")];
  for (const file of [starts, ready]) writeFileSync(file, "");
  writeFileSync(
    main,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(starts)}, Date.now() + "\\n");
     const run = readFileSync(${JSON.stringify(starts)}, "utf8").trim().split("\\n").length;
     if (${JSON.stringify(failing)}.includes(run)) process.exit(1);
     process.on("SIGTERM", () => process.exit(0));
     process.on("disconnect", () => process.exit(0));
     process.send({ ready: "run " + run }, () => appendFileSync(${JSON.stringify(ready)}, run + " "));`,
  );
  return {
    main,
    starts: () => readFileSync(starts, "utf8").trim().split("\n").map(Number),
    reportedReady: () => readFileSync(ready, "utf8"),
  };
}

Supervise("restarts a failing process at growing intervals, shorter again after a success", async () => {
  const { main, starts, reportedReady } = program([2, 3, 4]);
  const environment = { PATH: process.env.PATH };
  supervised = await supervise({ name: "x", main, environment, logs: folder, say: () => {} });
  assert.is(supervised.url, "run 1");
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the fifth run", async () => starts().length === 5);
  const [, second, third, fourth, fifth] = starts() as [number, number, number, number, number];
  assert.ok(third - second >= 600 && fourth - third >= 1_200 && fifth - fourth >= 2_400, starts().join());
  await eventually("its report that it is ready", async () => reportedReady().endsWith("5 "));
  const killed = Date.now();
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the sixth run", async () => starts().length === 6);
  // A fourth failure in a row would wait for 4.8 s.
  assert.ok((starts().at(-1) as number) - killed < 4_500, `${(starts().at(-1) as number) - killed} ms`);
});

Supervise.run();

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
