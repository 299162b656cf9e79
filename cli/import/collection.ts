import { toBinary } from "@bufbuild/protobuf";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { UserSummarySchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { maxBatchBytes } from "./batches.ts";
import { Refusal } from "./refusal.ts";
import type { Slot, StatusSpool } from "./status-spool.ts";
import type { ParsedStatus } from "./twitter/parse-status.ts";
import type { ParsedUser } from "./twitter/parse-user.ts";
import { type Recency, replaces } from "./twitter/recency.ts";

/** The most recent sighting of every user and status, by id at the origin. Statuses lie in the spool. */
export interface Collection {
  people: Map<string, Person>;
  statuses: Map<string, CollectedStatus>;
  /** Why a person could not be read, for the statuses of those who are nowhere readable. */
  unreadable: Map<string, string>;
  /** Embedded statuses that were seen without their user, by id at the origin, or by their place when they have none. */
  authorless: Set<string>;
}

export interface Person extends Omit<ParsedUser, "profile"> {
  /** The encoded profile: smaller than the message, and free of slices of the file's text. */
  profile: Uint8Array;
  place: Place;
  seen: Recency;
}

export interface CollectedStatus extends Slot {
  /** The author's id at the origin. */
  author: string;
  /** Whether other statuses or users showed it, and no file had it as an item of its own. */
  embedded: boolean;
  place: Place;
  seen: Recency;
}

/** A position; put into words only when it is reported, since there is one for every status. */
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
  return { people: new Map(), statuses: new Map(), unreadable: new Map(), authorless: new Set() };
}

/** Keeps a user, unless a more recent sighting is there already. */
export function keepUser(collection: Collection, user: ParsedUser, place: Place, seen: Recency): void {
  const last = collection.people.get(user.id);
  if (last && !replaces(seen, last.seen)) return;
  const profile = fitting(toBinary(UserSummarySchema, user.profile));
  collection.people.set(user.id, { id: user.id, joinedMs: user.joinedMs, profile, place, seen });
}

/** Keeps a status, unless a more recent sighting is there already. */
export function keepStatus(
  collection: Collection,
  spool: StatusSpool,
  { id, author, message }: ParsedStatus,
  embedded: boolean,
  place: Place,
  seen: Recency,
): void {
  const last = collection.statuses.get(id);
  const alwaysEmbedded = embedded && last?.embedded !== false;
  if (last && !replaces(seen, last.seen)) {
    last.embedded = alwaysEmbedded;
    return;
  }
  const slot = spool.add(fitting(toBinary(ImportedStatusSchema, message)));
  // Spelled out: V8 gives every copy made with a spread a hidden class of its own, which takes 40 % more memory.
  collection.statuses.set(id, {
    offset: slot.offset,
    length: slot.length,
    author,
    embedded: alwaysEmbedded,
    place,
    seen,
  });
}

// The services read no larger message, and one such item must not fail the rest of its batch.
function fitting(message: Uint8Array): Uint8Array {
  if (message.length > maxBatchBytes) throw new Refusal(`it is larger than ${maxBatchBytes} bytes`);
  return message;
}
