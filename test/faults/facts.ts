import type { Entry, Write } from "./ledger.ts";

/**
 * What must exist after the writes of a ledger, as words: `account NAME`, `status USER TEXT`, `follow A B`, `favorite USER
 * STATUS`, `repost USER STATUS`, `description USER TEXT`.
 */
export type Facts = Map<string, Fact>;

export interface Fact {
  /** Either: the outcome of the write that would make or undo it is unknown. */
  isThere: "yes" | "no" | "either";
  /** The id in the acknowledgement. */
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
    const { word, makes } = wordOf(write, statuses);
    if (word === undefined) continue;
    const isThere = outcome === "unknown" ? "either" : makes ? "yes" : "no";
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

function wordOf(write: Write, statuses: ReadonlyMap<string, string>): { word: string | undefined; makes: boolean } {
  switch (write.kind) {
    case "register":
      return { word: `account ${write.userName}`, makes: true };
    case "publish":
      return { word: `status ${write.user} ${write.text}`, makes: true };
    case "delete":
      return { word: statuses.get(write.id), makes: false };
    case "describe":
      return { word: `description ${write.user} ${write.description}`, makes: true };
    case "follow":
    case "unfollow":
      return { word: `follow ${write.user} ${write.other}`, makes: write.kind === "follow" };
    case "favorite":
    case "unfavorite":
      return { word: `favorite ${write.user} ${write.id}`, makes: write.kind === "favorite" };
    default:
      return { word: `repost ${write.user} ${write.id}`, makes: write.kind === "repost" };
  }
}

/** A user has one description: a new one ends the earlier ones. */
function forgetDescriptions(facts: Facts, user: string, perhaps: boolean): void {
  for (const [word, fact] of facts) {
    if (!word.startsWith(`description ${user} `) || fact.isThere === "no") continue;
    fact.isThere = perhaps ? "either" : "no";
  }
}
