import { digest } from "./digest.ts";
import type { StatusToImport } from "./imported-status.ts";
import { type KnownIds, resolveReferences } from "./resolve-references.ts";

/** The key of a status by its author and its id at the origin. */
export function originKey({ authorId, originId }: { authorId: bigint; originId: string }): string {
  return `${authorId}:${originId}`;
}

/** A status that was stored before. */
export interface StoredStatus {
  id: bigint;
  importDigest: Buffer;
  /** The job that added it; undefined when no job did. */
  job: Buffer | undefined;
}

/** A status ready to store: columns by name, ids as text. */
export type StatusColumns = Readonly<Record<string, unknown>> & { author_id: string; id: string };

/** What an import changes of an author. */
export interface AuthorChange {
  authorId: bigint;
  /** The newest changed status. */
  newest: bigint;
  /** How many statuses to add to the author's counter; 0 without a job, since the imported profile brought its own count. */
  counted: number;
}

export interface ImportPlan {
  added: StatusColumns[];
  updated: StatusColumns[];
  authors: Map<bigint, AuthorChange>;
  outcomes: Map<StatusToImport, "added" | "updated" | "unchanged">;
}

/**
 * Decides what an import writes. A status that is not stored is added under its new id, one that is stored with another digest is
 * updated under the id that it has, and the rest is left alone. A job changes nothing that it has not added itself: so undoing it
 * is deleting what it added. `stored` and `ids` are keyed by originKey.
 */
export function planImport(
  statuses: readonly StatusToImport[],
  stored: ReadonlyMap<string, StoredStatus>,
  ids: ReadonlyMap<string, bigint>,
  users: ReadonlyMap<string, bigint>,
  job?: Buffer,
): ImportPlan {
  const idAt = (key: string) => stored.get(key)?.id ?? ids.get(key);
  const known: KnownIds = {
    user: (originId) => users.get(originId),
    status: (authorId, originId) => idAt(originKey({ authorId, originId })),
  };
  const plan: ImportPlan = { added: [], updated: [], authors: new Map(), outcomes: new Map() };
  for (const status of statuses) {
    const key = originKey(status);
    const columns = statusColumns(status, idAt(key) as bigint, known, job);
    const outcome = outcomeOf(stored.get(key), columns.digest, job);
    plan.outcomes.set(status, outcome);
    if (outcome === "unchanged") continue;
    plan[outcome].push(columns.columns);
    const { newest, counted } = plan.authors.get(status.authorId) ?? { newest: 0n, counted: 0 };
    plan.authors.set(status.authorId, {
      authorId: status.authorId,
      newest: larger(newest, idAt(key) as bigint),
      counted: counted + (outcome === "added" && job !== undefined ? 1 : 0),
    });
  }
  return plan;
}

function statusColumns(status: StatusToImport, id: bigint, known: KnownIds, job: Buffer | undefined) {
  const content = contentColumns(status, known);
  const contentDigest = digest(content);
  const columns: StatusColumns = {
    ...content,
    author_id: status.authorId.toString(),
    id: id.toString(),
    origin_id: status.originId,
    import_digest: `\\x${contentDigest.toString("hex")}`,
    import_job: job === undefined ? null : `\\x${job.toString("hex")}`,
  };
  return { columns, digest: contentDigest };
}

/** The imported content by column. The digest covers just this, so a second import of the same finds it unchanged. */
function contentColumns(status: StatusToImport, known: KnownIds) {
  return {
    text: status.text,
    source: status.source,
    truncated: status.truncated,
    created_at: status.createdAt.toISOString(),
    latitude: status.point?.latitude ?? null,
    longitude: status.point?.longitude ?? null,
    retweet_count: status.retweetCount,
    ...resolveReferences(status, known),
  };
}

function outcomeOf(earlier: StoredStatus | undefined, contentDigest: Buffer, job: Buffer | undefined) {
  if (earlier === undefined) return "added";
  if (job !== undefined && earlier.job?.equals(job) !== true) return "unchanged";
  return earlier.importDigest.equals(contentDigest) ? "unchanged" : "updated";
}

function larger(a: bigint, b: bigint): bigint {
  return b > a ? b : a;
}
