import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Test } from "uvu";

/** A temporary folder of a suite, which is removed after its tests. */
export function useFolder(tests: Test) {
  const path = mkdtempSync(join(tmpdir(), "roost-test-"));
  tests.after(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    /** Writes a file, in a folder of the name if it has one, and returns its path. */
    write(name: string, content: string | Uint8Array): string {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}
