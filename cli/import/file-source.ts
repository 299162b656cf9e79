import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { type Archive, ArchiveFault } from "../archive/archive.ts";
import { listsOfV1 } from "../archive/user-archive.ts";
import { whatIs } from "../archive/what-is.ts";
import { UserError } from "../errors.ts";
import { parseElement, readElements } from "../json/read-elements.ts";
import type { ImportSource, Item, Kind } from "./source.ts";

/**
 * One source for each file, after checking all of them: a mistyped name, or something else than API v1.1, must not leave half an import.
 * @throws UserError naming every file that cannot be imported.
 */
export async function openSources(paths: readonly string[]): Promise<ImportSource[]> {
  return forEach(paths, async (path) => {
    const found = await readable(path);
    // A pipe cannot be read twice.
    if (!found.isFile() && !found.isDirectory()) return fileSource(path, streamOf(path));
    const { form, archive } = await whatIs(path);
    if (form === "API v1.1") return fileSource(path, archive);
    archive.close();
    throw new ArchiveFault(`it is ${form}, with the posts of one person: say whose they are here, with --as USER`);
  });
}

/** Checks that all files can be read, more than once. @throws UserError naming those that cannot */
export async function checkReadable(paths: readonly string[]): Promise<void> {
  await forEach(paths, async (path) => {
    const found = await readable(path);
    if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error(), { code: "ESPIPE" });
  });
}

async function forEach<T>(paths: readonly string[], open: (path: string) => Promise<T>): Promise<T[]> {
  const results = await Promise.allSettled(paths.map(open));
  const faults = results.flatMap((result, index) =>
    result.status === "rejected" ? [faultOf(paths[index], result.reason)] : [],
  );
  if (faults.length > 0) throw new UserError(faults.join("\n"));
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

async function readable(path: string) {
  const found = await stat(path);
  await access(path, constants.R_OK);
  return found;
}

function faultOf(path: string | undefined, error: NodeJS.ErrnoException): string {
  if (error instanceof ArchiveFault) return `${path}: ${error.message}`;
  return `${path} cannot be read: ${reasons[error.code ?? ""] ?? error.message}`;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "permission is denied",
  ESPIPE: "an archive is read more than once, so it has to be a file or a folder",
};

function streamOf(path: string): Archive {
  return {
    names: [""],
    async *entries() {
      yield { name: "", read: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
    },
    progress: () => 0,
    close() {},
  };
}

/** A JSON file of statuses or users, each as an item. */
function fileSource(path: string, archive: Archive): ImportSource {
  return {
    name: path,
    async *items(): AsyncGenerator<readonly Item[]> {
      for await (const entry of archive.entries(() => true)) {
        for await (const elements of readElements(entry.read(), { names: listsOfV1 })) {
          yield elements.map((element) => ({
            kind: kinds[element.list],
            path: `[${element.index}]`,
            read: () => parseElement(element),
          }));
        }
      }
    },
    progress: () => archive.progress(),
  };
}

const kinds: Record<string, Kind | undefined> = { statuses: "status", users: "user" };
