import { hash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { Refusal } from "../errors.ts";
import { isObject, type Json } from "../json/json.ts";
import { maxBatchBytes } from "./batches.ts";
import type { Slot, StatusSpool } from "./status-spool.ts";
import { compareIds } from "./twitter/fields.ts";
import type { ParsedStatus } from "./twitter/parse-status.ts";
import { type ParsedUser, parseUser } from "./twitter/parse-user.ts";
import { type Recency, replaces } from "./twitter/recency.ts";

/** The most recent record of every user and status, by id at the origin. Statuses are in the spool. */
export interface Collection {
  users: Map<string, CollectedUser>;
  statuses: Map<string, CollectedStatus>;
  /** Why users could not be read, by id: the reason for refusing their statuses. */
  unreadable: Map<string, string>;
  /** Embedded statuses that do not name their author, by id at the origin, or by their place when they have none. */
  authorless: Set<string>;
  edits: EditChains;
  /** The fields that broke a rule, by the kind and id of the record, where there are any. */
  defaulted: Map<string, readonly string[]>;
}

export interface CollectedUser extends Omit<ParsedUser, "profile" | "defaulted"> {
  /** The encoded profile: smaller than the message, and free of slices of the file's text. */
  profile: Uint8Array;
  /** Of the record as it was in the file. */
  digest: string;
  place: Place;
  recency: Recency;
}

export interface CollectedStatus extends Slot {
  /** The author's id at the origin. */
  author: string;
  /** Whether it was only found embedded, never as an item of its own. */
  embedded: boolean;
  place: Place;
  recency: Recency;
}

/** A position in a file; formatted only when it is reported, since there is one for every status. */
export interface Place {
  source: string;
  path: string;
}

/** Such as "tweets.json[17].user". */
export function placeName(place: Place): string {
  return `${place.source}${place.path}`;
}

/** An empty collection. */
export function createCollection(): Collection {
  return {
    users: new Map(),
    statuses: new Map(),
    unreadable: new Map(),
    authorless: new Set(),
    edits: new EditChains(),
    defaulted: new Map(),
  };
}

/** Adds a user, unless a more recent record is there already. */
export function addUser(collection: Collection, record: Json, id: string, place: Place, recency: Recency): void {
  const last = collection.users.get(id);
  const digest = digestOf(record);
  if (last?.digest === digest) {
    // Files repeat the author in each status: to parse the same again takes ten times as long.
    if (replaces(recency, last.recency)) Object.assign(last, { place, recency });
    return;
  }
  const user = parseUser(record);
  if (last && !replaces(recency, last.recency)) return;
  const profile = checkedSize(toBinary(UserSummarySchema, user.profile));
  noteDefaulted(collection, `user ${id}`, user.defaulted);
  collection.users.set(user.id, { id: user.id, joinedMs: user.joinedMs, profile, digest, place, recency });
}

/** Of what a profile is made of: nothing of it is in nested values, which may be deeper than JSON.stringify can follow. */
function digestOf(record: Json): string {
  const fields: unknown[] = [];
  for (const [name, value] of isObject(record) ? Object.entries(record) : []) {
    const isNested = typeof value === "object" && value !== null;
    fields.push(name, isNested, isNested || value);
  }
  return hash("sha1", JSON.stringify(fields), "base64");
}

/** Adds a status, unless a more recent record is there already. */
export function addStatus(
  collection: Collection,
  spool: StatusSpool,
  { id, author, message, versions, defaulted }: ParsedStatus,
  { embedded, place, recency }: Pick<CollectedStatus, "embedded" | "place" | "recency">,
): void {
  const last = collection.statuses.get(id);
  const alwaysEmbedded = embedded && last?.embedded !== false;
  if (last && !replaces(recency, last.recency)) {
    last.embedded = alwaysEmbedded;
    return;
  }
  collection.edits.add(versions);
  noteDefaulted(collection, `status ${id}`, defaulted);
  const slot = spool.add(checkedSize(toBinary(ImportedStatusSchema, message)));
  // Spelled out: V8 gives every copy made with a spread a hidden class of its own, which takes 40 % more memory.
  collection.statuses.set(id, {
    offset: slot.offset,
    length: slot.length,
    author,
    embedded: alwaysEmbedded,
    place,
    recency,
  });
}

function noteDefaulted({ defaulted }: Collection, key: string, fields: readonly string[]): void {
  if (fields.length > 0) defaulted.set(key, fields);
  else defaulted.delete(key);
}

// One that is too large must not fail the rest of its batch.
function checkedSize(message: Uint8Array): Uint8Array {
  if (message.length > maxBatchBytes) throw new Refusal(`it is larger than ${maxBatchBytes} bytes`);
  return message;
}

/** The versions of edited statuses: X writes each as a status of its own. Only the last one that is there is imported. */
export class EditChains {
  /** By the first id. */
  readonly #chains = new Map<string, Set<string>>();

  /** @param versions all ids of a status, in their order; empty for a status that was not edited */
  add(versions: readonly string[]): void {
    const [first] = versions;
    if (first === undefined) return;
    const chain = this.#chains.get(first) ?? new Set();
    for (const id of versions) chain.add(id);
    this.#chains.set(first, chain);
  }

  /** The ids of the statuses that are there and of which there is a later version. */
  earlier(isThere: (id: string) => boolean): string[] {
    return [...this.#chains.values()].flatMap((chain) => [...chain].filter(isThere).sort(compareIds).slice(0, -1));
  }
}
