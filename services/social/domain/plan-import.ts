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
  isRepost: boolean;
}

/** The status that a repost repeats. */
export interface Original {
  authorId: bigint;
  id: bigint;
}

/** The key of a user's repost of a status: there is only one. */
export function repostKey(userId: bigint, { authorId, id }: Original): string {
  return `${userId}:${authorId}:${id}`;
}

/** A status ready to store. */
export interface PlannedStatus extends Pick<StatusToImport, "authorId" | "originId"> {
  id: bigint;
  content: ImportedContent;
  original: Original | undefined;
}

/** What an import changes of an author. */
export interface AuthorChange {
  authorId: bigint;
  /** The newest changed status. */
  newest: bigint;
  /** How many statuses to add to the author's counter; 0 without a job, since the imported profile brought its own count. */
  counted: number;
  /** How many of the changed statuses are or were reposts. */
  reposts: number;
}

export interface ImportPlan {
  added: PlannedStatus[];
  updated: PlannedStatus[];
  authors: Map<bigint, AuthorChange>;
  outcomes: Map<StatusToImport, "added" | "updated" | "unchanged" | "original unknown">;
}

/** What is known before an import, by ids at the origin. */
export interface ImportLookUp {
  users: ReadonlyMap<string, bigint>;
  /** By originKey. */
  stored: ReadonlyMap<string, StoredStatus>;
  /** The status by which a user reposts another one, by repostKey. */
  reposts: ReadonlyMap<string, bigint>;
}

/**
 * Decides what an import writes. A status that is not stored is added under its new id, one that is stored with another digest is
 * updated under the id that it has, and the rest is not changed. A job only changes what it has added itself, so that undoing it is
 * deleting what it added. A repost is stored only if its original is known, and only once: where the user has reposted that status already,
 * by another status, that one stays.
 * @param ids for new statuses, by originKey
 */
export function planImport(
  statuses: readonly StatusToImport[],
  { users, stored, reposts }: ImportLookUp,
  ids: ReadonlyMap<string, bigint>,
  job?: Buffer,
): ImportPlan {
  const idAt = (key: string) => stored.get(key)?.id ?? ids.get(key);
  const known: OriginIds = {
    user: (originId) => users.get(originId),
    status: (authorId, originId) => idAt(originKey({ authorId, originId })),
  };
  /** The statuses so far that are no reposts, by originKey. */
  const planned = new Set<string>();
  const repostIds = new Map(reposts);
  const plan: ImportPlan = { added: [], updated: [], authors: new Map(), outcomes: new Map() };
  /** Undefined for a status that is not here, and for one that is a repost itself. */
  const originalOf = ({ userOriginId, statusOriginId }: { userOriginId: string; statusOriginId: string }) => {
    const authorId = users.get(userOriginId);
    const key = authorId === undefined ? "" : originKey({ authorId, originId: statusOriginId });
    const id = stored.get(key)?.isRepost === false || planned.has(key) ? idAt(key) : undefined;
    return authorId === undefined || id === undefined ? undefined : { authorId, id };
  };
  for (const status of statuses) {
    const { authorId, originId } = status;
    const key = originKey(status);
    const id = idAt(key) as bigint;
    const original = status.repostOf && originalOf(status.repostOf);
    if (status.repostOf !== undefined && original === undefined) {
      plan.outcomes.set(status, "original unknown");
      continue;
    }
    if (original === undefined) planned.add(key);
    const isRepeated = original !== undefined && (repostIds.get(repostKey(authorId, original)) ?? id) !== id;
    const content = importedContent(status, known, original);
    const outcome = isRepeated ? "unchanged" : outcomeOf(stored.get(key), content.digest, job);
    plan.outcomes.set(status, outcome);
    if (outcome === "unchanged") continue;
    if (original !== undefined) repostIds.set(repostKey(authorId, original), id);
    plan[outcome].push({ authorId, originId, id, content, original });
    const change = plan.authors.get(authorId) ?? { newest: 0n, counted: 0, reposts: 0 };
    const isOrWasRepost = original !== undefined || stored.get(key)?.isRepost === true;
    plan.authors.set(authorId, {
      authorId,
      newest: larger(change.newest, id),
      counted: change.counted + (outcome === "added" && job !== undefined ? 1 : 0),
      reposts: change.reposts + (isOrWasRepost ? 1 : 0),
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
