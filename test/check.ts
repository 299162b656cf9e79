// Everything that can be said about the code without running it, each check by its name; all run, then the faults count.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
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

/** Generates beside the tree and compares, so that the tree stays as it is. */
function regeneratesTheSame(): boolean {
  const output = mkdtempSync(join(tmpdir(), "roost-gen-"));
  try {
    return (
      runs("buf", "generate", "--output", output) && command("diff", ["-r", "proto/gen", join(output, "proto/gen")])
    );
  } finally {
    rmSync(output, { recursive: true, force: true });
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
