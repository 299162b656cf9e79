import type { Entry, Write } from "./ledger.ts";

/**
 * What must exist after the writes of a ledger, as words: `account NAME`, `status USER TEXT`, `follow A B`, `favorite USER
 * STATUS`, `repost USER STATUS`, `description USER TEXT`.
 */
export type Facts = Map<string, Fact>;

export interface Fact {
  /** Either: the outcome of the write that would make or undo it is unknown. */
  isThere: "yes" | "no" | "either";
  id?: string | undefined;
}

/**
 * Derives the facts from a ledger. Each user's writes were made one after the other, and only a status's author deletes it, so
 * the last entry about a fact counts. Marks and reposts go with their status.
 */
export function factsOf(entries: readonly Entry[]): Facts {
  const facts: Facts = new Map();
  const statuses = new Map<string, string>();
  for (const { write, outcome, id } of entries) {
    if (outcome === "refused") continue;
    const word = wordOf(write, statuses);
    if (word === undefined) continue;
    const isMade = write.kind !== "delete" && !write.kind.startsWith("un");
    const isThere = outcome === "unknown" ? "either" : isMade ? "yes" : "no";
    if (write.kind === "describe") forgetDescriptions(facts, write.user, isThere === "either");
    facts.set(word, { isThere, id: id ?? facts.get(word)?.id });
    if (write.kind === "publish" && id !== undefined) statuses.set(id, word);
  }
  for (const [word, fact] of facts) {
    const [kind, , target] = word.split(" ");
    if (kind !== "favorite" && kind !== "repost") continue;
    const original = facts.get(statuses.get(target as string) ?? "")?.isThere;
    if (original === "no" || (original === "either" && fact.isThere === "yes")) fact.isThere = original;
  }
  return facts;
}

function wordOf(write: Write, statuses: ReadonlyMap<string, string>): string | undefined {
  switch (write.kind) {
    case "register":
      return `account ${write.userName}`;
    case "publish":
      return `status ${write.user} ${write.text}`;
    case "delete":
      return statuses.get(write.id);
    case "describe":
      return `description ${write.user} ${write.description}`;
    case "follow":
    case "unfollow":
      return `follow ${write.user} ${write.other}`;
    default:
      return `${write.kind.replace(/^un/, "")} ${write.user} ${write.id}`;
  }
}

/** A user has one description: a new one ends the earlier ones. */
function forgetDescriptions(facts: Facts, user: string, perhaps: boolean): void {
  for (const [word, fact] of facts) {
    if (!word.startsWith(`description ${user} `) || fact.isThere === "no") continue;
    fact.isThere = perhaps ? "either" : "no";
  }
}

/** The differences between a ledger and the system, as sentences. */
export interface Findings {
  /** Acknowledged writes that are missing. */
  lost: string[];
  /** What exists and must not: undone, twice, under another id, of an unknown user, or shown wrongly. */
  wrong: string[];
}

export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Compares the tables of both services with the facts. Rows of users that the ledger lacks count as wrong. */
export async function compareTables(facts: Facts, query: Query): Promise<Findings> {
  const rows = (await query(everything)) as { word: string; id: string | null }[];
  const found = new Map<string, (string | null)[]>();
  for (const { word, id } of rows) found.set(word, [...(found.get(word) ?? []), id]);
  const findings: Findings = { lost: [], wrong: [] };
  for (const [word, { isThere, id }] of facts) {
    const ids = found.get(word) ?? [];
    if (isThere === "yes" && ids.length === 0) findings.lost.push(`${word}: acknowledged, and not in the tables`);
    if (isThere === "no" && ids.length > 0) findings.wrong.push(`${word}: undone, and still in the tables`);
    if (ids.length > 1) findings.wrong.push(`${word}: ${ids.length} times in the tables`);
    if (ids.length === 1 && id !== undefined && ids[0] !== null && ids[0] !== id) {
      findings.wrong.push(`${word}: acknowledged as ${id}, and ${ids[0]} in the tables`);
    }
  }
  for (const word of found.keys()) if (!facts.has(word)) findings.wrong.push(`${word}: no recorded write made this`);
  return findings;
}

const everything = `
  select 'account ' || user_name as word, user_id::text as id from account.account
  union all
  select 'profile of ' || coalesce(user_name, 'an unknown user'), user_id::text
  from account.account full join social.profile using (user_id)
  where account.user_id is null or profile.user_id is null
  union all
  select 'status ' || author_id || ' ' || text, id::text from social.status where repost_of_id is null
  union all
  select 'repost ' || author_id || ' ' || repost_of_id, id::text from social.status where repost_of_id is not null
  union all
  select 'follow ' || follower_id || ' ' || user_id, null from social.follow
  union all
  select 'favorite ' || user_id || ' ' || status_id, null from social.favorite
  union all
  select 'description ' || user_id || ' ' || description, null from social.profile where description <> ''`;
