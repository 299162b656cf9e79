// Everything that can be said about the code without running it, each check by its name; all run, then the faults count.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const checks: Record<string, () => boolean> = {
  "generated code equals the committed code": regeneratesTheSame,
  "buf lint": () => runs("buf", "lint"),
  "buf breaking, against the released contract": () =>
    runs("buf", "breaking", "--exclude-imports", "--against", "proto/released.binpb"),
  types: () => runs("tsc", "-p", "."),
  lint: () => runs("oxlint", "--type-aware", "--deny-warnings"),
  format: () => runs("biome", "check", "."),
  "dead code": () => runs("knip"),
  architecture: () => command(process.execPath, ["--import", "tsx", "test/architecture/imports.test.ts"]),
};

const failed = Object.entries(checks).filter(([name, check]) => {
  const passed = check();
  console.log(`${passed ? "ok  " : "FAIL"}  ${name}`);
  return !passed;
});
process.exitCode = failed.length > 0 ? 1 : 0;

/** Generates into the tree, compares with what stood there and puts that back when it differs. */
function regeneratesTheSame(): boolean {
  const committed = mkdtempSync(join(tmpdir(), "roost-gen-"));
  const generated = join(root, "proto/gen");
  cpSync(generated, committed, { recursive: true });
  try {
    return runs("buf", "generate") && command("diff", ["-r", committed, generated]);
  } finally {
    rmSync(generated, { recursive: true, force: true });
    cpSync(committed, generated, { recursive: true });
    rmSync(committed, { recursive: true, force: true });
  }
}

function runs(tool: string, ...args: string[]): boolean {
  return command(join(root, "node_modules/.bin", tool), args);
}

function command(file: string, args: string[]): boolean {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) console.error(`${stdout}${stderr}${error?.message ?? ""}`);
  return status === 0;
}
