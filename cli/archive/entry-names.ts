import { ArchiveFault } from "./fault.ts";

/**
 * Watches over the names in one archive. A name is nothing but a name here; one that would lead out of a folder shows
 * that somebody built the archive for a reader that is less careful.
 * @throws ArchiveFault for such a name, for a wanted one that comes twice, and for too many.
 */
export function entryNames(most: number): (name: string, wanted: boolean) => void {
  const seen = new Set<string>();
  let count = 0;
  return (name, wanted) => {
    if (++count > most) throw new ArchiveFault(`it holds more than ${most} files`);
    if (name.startsWith("/") || name.includes("\\") || name.includes("\0") || /^[A-Za-z]:/.test(name)) {
      throw new ArchiveFault(`it holds a file with an absolute or foreign name, ${quoted(name)}`);
    }
    if (name.split("/").includes("..")) throw new ArchiveFault(`it holds a file that leads out of it, ${quoted(name)}`);
    if (!wanted) return;
    if (seen.has(name)) throw new ArchiveFault(`it holds ${quoted(name)} twice`);
    seen.add(name);
  };
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
