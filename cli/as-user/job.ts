import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { filesIn } from "../archive/plain-files.ts";
import { isKnownFile } from "../archive/what-is.ts";
import type { ImportClients } from "../import/services.ts";
import type { Reporter } from "../reporter.ts";

/** An import job: what one import added to one user's timeline. */
export interface Job {
  authorId: bigint;
  /** 16 bytes. */
  id: Buffer;
}

/**
 * The job of importing a file as a user: the same for the same bytes and the same user, so that a second run continues it. Of a folder the
 * bytes of the files that are read count.
 */
export async function jobOf(path: string, authorId: bigint): Promise<Job> {
  const hash = createHash("sha256").update(`roost import job 1 ${authorId} `);
  const isFolder = (await stat(path)).isDirectory();
  for (const file of isFolder ? await filesIn(path, isKnownFile) : [{ name: "", path }]) {
    if (isFolder) hash.update(`\0${file.name}\0`);
    for await (const chunk of createReadStream(file.path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  }
  return { authorId, id: hash.digest().subarray(0, 16) };
}

/** A job as `--undo` takes it: the user id and 32 hex digits. */
export function jobName({ authorId, id }: Job): string {
  return `${authorId}-${id.toString("hex")}`;
}

/** Parses the name of a job; undefined when it is none. */
export function parseJobName(name: string): Job | undefined {
  const [, author, id] = /^([1-9]\d{0,15})-([\da-f]{32})$/.exec(name) ?? [];
  return author === undefined || id === undefined
    ? undefined
    : { authorId: BigInt(author), id: Buffer.from(id, "hex") };
}

/**
 * Removes what a job added; returns how many statuses those were. It may be killed and run again.
 * @throws UserError when the service cannot be reached.
 */
export async function undoJob({ imports }: ImportClients, job: Job, report: Reporter): Promise<number> {
  const { statuses: all } = await imports.countImported({ job });
  let removed = 0;
  for (let complete = false; !complete; ) {
    report.progress({ phase: "undoing", done: removed, share: Math.min(1, removed / Math.max(1, Number(all))) });
    const answer = await imports.undoImport({ job });
    removed += Number(answer.removed);
    complete = answer.complete;
  }
  // A call whose answer was lost is repeated, and its answer then lacks what the first one removed.
  return Number(all - (await imports.countImported({ job })).statuses);
}
