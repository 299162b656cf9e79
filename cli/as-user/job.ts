import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** An import job: what one import added to one user's timeline. */
export interface Job {
  authorId: bigint;
  /** 16 bytes. */
  id: Buffer;
}

/** The job of importing a file as a user: the same for the same bytes and the same user, so that a second run continues it. */
export async function jobOf(path: string, authorId: bigint): Promise<Job> {
  const hash = createHash("sha256").update(`roost import job 1 ${authorId} `);
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
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
