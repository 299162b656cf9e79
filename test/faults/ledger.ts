/** A write. Ids are texts, for JSON; users are given by id, except in a registration. */
export type Write =
  | { kind: "register"; userName: string }
  | { kind: "publish"; user: string; text: string }
  | { kind: "delete"; user: string; id: string }
  | { kind: "describe"; user: string; description: string }
  | { kind: "follow" | "unfollow"; user: string; other: string }
  | { kind: "favorite" | "unfavorite" | "repost" | "unrepost"; user: string; author: string; id: string };

/** A write and its outcome. Unknown: the connection broke before an answer, or there was none. */
export interface Entry {
  write: Write;
  outcome: "acknowledged" | "refused" | "unknown";
  /** The id in the acknowledgement: of the status, the repost or the account. */
  id?: string | undefined;
}

/** The record of the clients' writes, outside of the system, in the order in which they were begun. */
export class Ledger {
  readonly entries: Entry[] = [];

  /** Notes a write before it is sent, and returns a function that notes its outcome before the client sends its next request. */
  begin(write: Write): (outcome: "acknowledged" | "refused", id?: string) => void {
    const entry: Entry = { write, outcome: "unknown" };
    this.entries.push(entry);
    return (outcome, id) => void Object.assign(entry, { outcome, id });
  }
}
