import { digest } from "./digest.ts";
import type { StatusToImport } from "./imported-status.ts";
import { type KnownIds, resolveReferences } from "./resolve-references.ts";

/** A status's place at its origin, as one text. */
export function originKey({ authorId, originId }: { authorId: bigint; originId: string }): string {
  return `${authorId}:${originId}`;
}

/** A status that is held already. */
export interface HeldStatus {
  id: bigint;
  importDigest: Buffer;
  /** The job that added it; undefined for one that came otherwise. */
  job: Buffer | undefined;
}

/** A status ready to be stored: columns by name, ids as text. */
export type StatusColumns = Readonly<Record<string, unknown>> & { author_id: string; id: string };

/** What an import does to an author. */
export interface AuthorChange {
  authorId: bigint;
  /** The newest changed status. */
  newest: bigint;
  /** How many statuses to count; none without a job: then the author's profile came with its count. */
  counted: number;
}

export interface ImportPlan {
  added: StatusColumns[];
  updated: StatusColumns[];
  authors: Map<bigint, AuthorChange>;
  outcomes: Map<StatusToImport, "added" | "updated" | "unchanged">;
}

/**
 * Decides what an import writes: what is not held is added under its new id, what is held with another digest is
 * updated under the id that it has, the rest is left alone. A job leaves alone whatever it has not added itself: then
 * undoing it is deleting what it added. `held` and `ids` go by originKey.
 */
export function planImport(
  statuses: readonly StatusToImport[],
  held: ReadonlyMap<string, HeldStatus>,
  ids: ReadonlyMap<string, bigint>,
  users: ReadonlyMap<string, bigint>,
  job?: Buffer,
): ImportPlan {
  const idAt = (key: string) => held.get(key)?.id ?? ids.get(key);
  const known: KnownIds = {
    user: (originId) => users.get(originId),
    status: (authorId, originId) => idAt(originKey({ authorId, originId })),
  };
  const plan: ImportPlan = { added: [], updated: [], authors: new Map(), outcomes: new Map() };
  for (const status of statuses) {
    const key = originKey(status);
    const columns = statusColumns(status, idAt(key) as bigint, known, job);
    const outcome = outcomeOf(held.get(key), columns.digest, job);
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

/** What came, in the words of the table; the digest covers just this, so a second import finds it unchanged. */
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

function outcomeOf(earlier: HeldStatus | undefined, contentDigest: Buffer, job: Buffer | undefined) {
  if (earlier === undefined) return "added";
  if (job !== undefined && earlier.job?.equals(job) !== true) return "unchanged";
  return earlier.importDigest.equals(contentDigest) ? "unchanged" : "updated";
}

function larger(a: bigint, b: bigint): bigint {
  return b > a ? b : a;
}
