import { existsSync } from "node:fs";
import { join } from "node:path";

/** A real file that lies beside the project for its developers, or undefined, said loudly, where it is not there. */
export function sharedData(name: string): string | undefined {
  const file = join(import.meta.dirname, "../../../shared/data", name);
  if (existsSync(file)) return file;
  console.warn(`\n!!! SKIPPED: ../shared/data/${name} is not there; what real data would show is not tested !!!\n`);
  return undefined;
}
