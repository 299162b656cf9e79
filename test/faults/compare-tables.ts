import type { Facts } from "./facts.ts";

/** The differences between a ledger and the system, as sentences. */
export interface Findings {
  /** Acknowledged writes that are missing. */
  lost: string[];
  /** What exists and must not: undone, twice, under another id, of an unknown user, or shown wrongly. */
  wrong: string[];
}

/** Runs one statement as the superuser. */
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
