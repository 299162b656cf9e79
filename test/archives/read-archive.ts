import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArchiveItem, LeftOut } from "../../cli/archive/user-archive.ts";
import { openUserArchive } from "../../cli/archive/what-is.ts";
import type { ImportedStatus } from "../../proto/gen/social/v1/import_service_pb.ts";

/** All items of an archive, read for the user "ann". Throws the archive's fault. */
export async function readArchive(bytes: Uint8Array | string): Promise<ArchiveItem[]> {
  const directory = await mkdtemp(join(tmpdir(), "roost-test-"));
  try {
    const path = join(directory, "archive");
    await writeFile(path, bytes);
    return await readPath(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** All items of an archive at a path. */
export async function readPath(path: string): Promise<ArchiveItem[]> {
  const archive = await openUserArchive(path);
  try {
    const all: ArchiveItem[] = [];
    for await (const items of archive.read("ann")) all.push(...items);
    return all;
  } finally {
    archive.close();
  }
}

/** The statuses of an archive. */
export async function statusesIn(bytes: Uint8Array | string): Promise<ImportedStatus[]> {
  return (await readArchive(bytes)).flatMap((found) => (found.kind === "status" ? [found.status] : []));
}

/** What is left out of an archive: why, and how many. */
export async function leftOutIn(bytes: Uint8Array): Promise<[LeftOut, number][]> {
  return (await readArchive(bytes)).flatMap((found) =>
    found.kind === "left out" && found.count > 0 ? [[found.why, found.count] satisfies [LeftOut, number]] : [],
  );
}

/** The reason why an archive is refused; "" when it is not. */
export async function faultOf(bytes: Uint8Array | string): Promise<string> {
  return readArchive(bytes).then(
    () => "",
    (error: Error) => (error.name === "ArchiveFault" ? error.message : `not a fault: ${error.stack}`),
  );
}
