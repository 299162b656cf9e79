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
}

/** A status ready to be stored: columns by name, ids as text. */
export type StatusColumns = Readonly<Record<string, unknown>> & { author_id: string; id: string };

export interface ImportPlan {
  added: StatusColumns[];
  updated: StatusColumns[];
  /** The newest changed status of each author. */
  newest: Map<bigint, bigint>;
  outcomes: Map<StatusToImport, "added" | "updated" | "unchanged">;
}

/**
 * Decides what an import writes: what is not held is added under its new id, what is held with another digest is
 * updated under the id that it has, the rest is left alone. `held` and `ids` go by originKey.
 */
export function planImport(
  statuses: readonly StatusToImport[],
  held: ReadonlyMap<string, HeldStatus>,
  ids: ReadonlyMap<string, bigint>,
  users: ReadonlyMap<string, bigint>,
): ImportPlan {
  const idAt = (key: string) => held.get(key)?.id ?? ids.get(key);
  const known: KnownIds = {
    user: (originId) => users.get(originId),
    status: (authorId, originId) => idAt(originKey({ authorId, originId })),
  };
  const plan: ImportPlan = { added: [], updated: [], newest: new Map(), outcomes: new Map() };
  for (const status of statuses) {
    const key = originKey(status);
    const columns = statusColumns(status, idAt(key) as bigint, known);
    const outcome = outcomeOf(held.get(key), columns.digest);
    plan.outcomes.set(status, outcome);
    if (outcome === "unchanged") continue;
    plan[outcome].push(columns.columns);
    plan.newest.set(status.authorId, larger(plan.newest.get(status.authorId), idAt(key) as bigint));
  }
  return plan;
}

function statusColumns(status: StatusToImport, id: bigint, known: KnownIds) {
  const content = contentColumns(status, known);
  const contentDigest = digest(content);
  const columns: StatusColumns = {
    ...content,
    author_id: status.authorId.toString(),
    id: id.toString(),
    origin_id: status.originId,
    import_digest: `\\x${contentDigest.toString("hex")}`,
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

function outcomeOf(earlier: HeldStatus | undefined, contentDigest: Buffer): "added" | "updated" | "unchanged" {
  if (earlier === undefined) return "added";
  return earlier.importDigest.equals(contentDigest) ? "unchanged" : "updated";
}

function larger(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b > a ? b : a;
}
