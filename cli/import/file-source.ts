import { createReadStream, type ReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { parseJson } from "../json/json.ts";
import { readElements } from "../json/read-elements.ts";
import { UserError } from "../user-error.ts";
import type { ImportSource, Item, Kind } from "./source.ts";

/**
 * One source for each file, after checking all of them: a mistyped name must not leave half an import.
 * @param again whether the files are to be read more than once, which a pipe cannot be.
 * @throws UserError naming every file that cannot be read.
 */
export async function openSources(paths: readonly string[], again = false): Promise<ImportSource[]> {
  const sizes = await Promise.allSettled(paths.map((path) => readableSize(path, again)));
  const faults = sizes.flatMap((size, index) =>
    size.status === "rejected" ? [faultOf(paths[index], size.reason)] : [],
  );
  if (faults.length > 0) throw new UserError(faults.join("\n"));
  return sizes.map((size, index) => fileSource(paths[index] as string, size.status === "fulfilled" ? size.value : 0));
}

/**
 * A JSON file: a list of statuses or users, or an object with such a list under one of Twitter's names or ours
 * (`results`, where each item shows by itself what it is).
 * @param size in bytes, to tell how much has been read.
 */
function fileSource(path: string, size: number): ImportSource {
  let file: ReadStream | undefined;
  return {
    name: path,
    async *items(): AsyncGenerator<readonly Item[]> {
      file = createReadStream(path, { highWaterMark: 256 * 1024 });
      for await (const elements of readElements(file, { names: Object.keys(kinds) })) {
        yield elements.map(({ list, index, text }) => ({
          kind: kinds[list],
          path: `[${index}]`,
          read: () => parseJson(text),
        }));
      }
    },
    progress: () => (size === 0 ? 1 : Math.min(1, (file?.bytesRead ?? 0) / size)),
  };
}

const kinds: Record<string, Kind | undefined> = { statuses: "status", users: "user", results: undefined };

async function readableSize(path: string, again: boolean): Promise<number> {
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
  if (again && !found.isFile()) throw Object.assign(new Error(), { code: "ESPIPE" });
  await access(path, constants.R_OK);
  return found.size;
}

function faultOf(path: string | undefined, error: NodeJS.ErrnoException): string {
  return `${path} cannot be read: ${reasons[error.code ?? ""] ?? error.message}`;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "permission is denied",
  ESPIPE: "an archive is read more than once, so it has to be a file",
};
