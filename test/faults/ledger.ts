import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** A write. Ids are text, since the ledger is JSON; users are given by id, except in a registration. */
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

/** The record of the clients' writes, kept outside the system. */
export interface Ledger {
  file: string;
  /** Notes a write before it is sent, and returns its number. */
  begin(write: Write): number;
  /** Notes an acknowledgement. It is in the file when this returns, so before the client sends its next request. */
  acknowledge(number: number, id?: string): void;
  /** Notes that the write was refused and has changed nothing. */
  refuse(number: number): void;
  close(): void;
}

type Line = { n: number; write: Write } | { n: number; acknowledged: boolean; id?: string | undefined };

/** A new ledger in this file. */
export function openLedger(file: string): Ledger {
  const output = openSync(file, "w");
  const append = (line: Line) => void writeSync(output, `${JSON.stringify(line)}\n`);
  let count = 0;
  return {
    file,
    begin(write) {
      append({ n: count, write });
      return count++;
    },
    acknowledge: (n, id) => append({ n, acknowledged: true, id }),
    refuse: (n) => append({ n, acknowledged: false }),
    close: () => closeSync(output),
  };
}

/** Every write of a ledger, in the order in which they were begun. */
export function readLedger(file: string): Entry[] {
  const entries: Entry[] = [];
  for (const text of readFileSync(file, "utf8").trimEnd().split("\n")) {
    if (text === "") continue;
    const line = JSON.parse(text) as Line;
    if ("write" in line) entries[line.n] = { write: line.write, outcome: "unknown" };
    else
      Object.assign(entries[line.n] as Entry, { outcome: line.acknowledged ? "acknowledged" : "refused", id: line.id });
  }
  return entries;
}
