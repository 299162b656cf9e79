import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copiedIntoImage, root } from "./compose-file.ts";

/** A folder with what the Dockerfile copies and nothing else, so that a file that it forgets is missed. */
export function makeImageFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "roost-image-"));
  for (const name of copiedIntoImage()) cpSync(join(root, name), join(path, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
