import { type ImportedContent, importedContent, type OriginIds } from "./imported-content.ts";
import type { StatusToImport } from "./imported-status.ts";

/** The key of a status by its author and its id at the origin. */
export function originKey({ authorId, originId }: { authorId: bigint; originId: string }): string {
  return `${authorId}:${originId}`;
}

/** A status that was stored before. */
export interface StoredStatus {
  id: bigint;
  /** Of its content as it was imported, in hex. */
  importDigest: string;
  /** The job that added it; undefined when no job did. */
  job: Buffer | undefined;
}

/** A status ready to store. */
export interface PlannedStatus extends Pick<StatusToImport, "authorId" | "originId"> {
  id: bigint;
  content: ImportedContent;
}

/** What an import changes of an author. */
export interface AuthorChange {
  authorId: bigint;
  /** The newest changed status. */
  newest: bigint;
  /** How many statuses to add to the author's counter; 0 without a job, since the imported profile brought its own count. */
  counted: number;
}

export interface ImportPlan {
  added: PlannedStatus[];
  updated: PlannedStatus[];
  authors: Map<bigint, AuthorChange>;
  outcomes: Map<StatusToImport, "added" | "updated" | "unchanged">;
}

/**
 * Decides what an import writes. A status that is not stored is added under its new id, one that is stored with another digest is
 * updated under the id that it has, and the rest is not changed. A job only changes what it has added itself, so that undoing it is
 * deleting what it added. `stored` and `ids` are keyed by originKey.
 */
export function planImport(
  statuses: readonly StatusToImport[],
  stored: ReadonlyMap<string, StoredStatus>,
  ids: ReadonlyMap<string, bigint>,
  users: ReadonlyMap<string, bigint>,
  job?: Buffer,
): ImportPlan {
  const idAt = (key: string) => stored.get(key)?.id ?? ids.get(key);
  const known: OriginIds = {
    user: (originId) => users.get(originId),
    status: (authorId, originId) => idAt(originKey({ authorId, originId })),
  };
  const plan: ImportPlan = { added: [], updated: [], authors: new Map(), outcomes: new Map() };
  for (const status of statuses) {
    const { authorId, originId } = status;
    const key = originKey(status);
    const id = idAt(key) as bigint;
    const content = importedContent(status, known);
    const outcome = outcomeOf(stored.get(key), content.digest, job);
    plan.outcomes.set(status, outcome);
    if (outcome === "unchanged") continue;
    plan[outcome].push({ authorId, originId, id, content });
    const { newest, counted } = plan.authors.get(authorId) ?? { newest: 0n, counted: 0 };
    plan.authors.set(authorId, {
      authorId,
      newest: larger(newest, id),
      counted: counted + (outcome === "added" && job !== undefined ? 1 : 0),
    });
  }
  return plan;
}

function outcomeOf(earlier: StoredStatus | undefined, contentDigest: string, job: Buffer | undefined) {
  if (earlier === undefined) return "added";
  if (job !== undefined && earlier.job?.equals(job) !== true) return "unchanged";
  return earlier.importDigest === contentDigest ? "unchanged" : "updated";
}

function larger(a: bigint, b: bigint): bigint {
  return b > a ? b : a;
}
