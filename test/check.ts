// All checks of the code that do not run it, each with a name. All of them run, a few at a time, before a failure counts.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { readCommandLine } from "../bench/command-line.ts";

readCommandLine(
  `usage: npm run check

Checks the code without running it: types, lint, dead code, generated code, the protos, format, and who imports what.`,
  {},
);
const root = join(import.meta.dirname, "..");

/** The longest ones first. Each resolves to whether it has passed. */
const checks: Record<string, () => Promise<boolean>> = {
  // As many threads as cores would each check the same declarations again: more than half more processor time.
  types: () => runs("tsc", "-p", ".", "--singleThreaded"),
  lint: () => runs("oxlint", "--type-aware", "--deny-warnings"),
  "dead code": () => runs("knip"),
  "generated code equals the committed code": regeneratesTheSame,
  "buf lint": () => runs("buf", "lint"),
  "buf breaking, against the released contract": () =>
    runs("buf", "breaking", "--exclude-imports", "--against", "proto/released.binpb"),
  format: () => runs("biome", "check", "."),
  architecture: () => command(process.execPath, ["--import", "tsx", "test/architecture/imports.test.ts"]),
};

const someAtATime = pLimit(availableParallelism());
const results = await Promise.all(
  Object.entries(checks).map(([name, check]) =>
    someAtATime(async () => {
      const passed = await check();
      console.log(`${passed ? "ok  " : "FAIL"}  ${name}`);
      return passed;
    }),
  ),
);
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Generates into another folder and compares, so that the source tree does not change. */
async function regeneratesTheSame(): Promise<boolean> {
  const output = mkdtempSync(join(tmpdir(), "roost-gen-"));
  try {
    return (
      (await runs("buf", "generate", "--output", output)) &&
      (await command("diff", ["-r", "proto/gen", join(output, "proto/gen")]))
    );
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function runs(tool: string, ...args: string[]): Promise<boolean> {
  return command(join(root, "node_modules/.bin", tool), args);
}

/** Runs a command; when it fails, prints its output. Programs in Go collect garbage a quarter as often: a sixth less processor time. */
function command(file: string, args: string[]): Promise<boolean> {
  const env = { GOGC: "400", ...process.env };
  const child = spawn(file, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.on("error", (error) => (output += error.message));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      if (code !== 0) console.error(output);
      resolve(code === 0);
    });
  });
}
