import { type Collection, createCollection, keepStatus, keepUser, type Place, placeName } from "./collection.ts";
import type { ImportContext } from "./context.ts";
import { JsonFault } from "./json/fault.ts";
import { isObject, type Json } from "./json/json.ts";
import { refusalReason } from "./refusal.ts";
import type { ImportSource } from "./source.ts";
import { referenceOf } from "./twitter/origin-id.ts";
import { parseStatus } from "./twitter/parse-status.ts";
import { parseUser } from "./twitter/parse-user.ts";
import { type Recency, recencyOf } from "./twitter/recency.ts";
import { isAuthorless, type Sighting, sightingsIn } from "./twitter/sightings.ts";

/**
 * Reads all sources to their end and keeps the most recent sighting of everybody and everything. What is broken is
 * entered in the ledger and left out.
 */
export async function collect(ctx: ImportContext, sources: readonly ImportSource[]): Promise<Collection> {
  const collection = createCollection();
  let done = 0;
  for (const [index, source] of sources.entries()) {
    try {
      for await (const item of source.items()) {
        const sightings = sightingsIn(item);
        const seen = recencyOf(index, sightings[0]);
        for (const sighting of sightings) {
          keep(ctx, collection, sighting, { source: source.name, path: sighting.path }, seen);
        }
        const share = source.progress && (index + source.progress()) / sources.length;
        ctx.report.progress({ phase: "reading", done: ++done, share });
      }
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      ctx.ledger.refuse(undefined, `${source.name}${error.path}`, error.reason);
    }
  }
  return collection;
}

function keep(ctx: ImportContext, collection: Collection, sighting: Sighting, place: Place, seen: Recency): void {
  try {
    if (sighting.kind === "user") keepUser(collection, parseUser(sighting.value), place, seen);
    else if (sighting.kind === "status") {
      const { value, author, embedded = false } = sighting;
      if (isAuthorless(sighting)) collection.authorless.add(idOf(value) || placeName(place));
      else keepStatus(collection, ctx.spool, parseStatus(value, author), embedded, place, seen);
    } else ctx.ledger.refuse(undefined, placeName(place), "it is neither a status nor a user");
  } catch (error) {
    const reason = refusalReason(error);
    ctx.ledger.refuse(sighting.kind, placeName(place), reason);
    if (sighting.kind === "user") rememberUnreadable(collection, sighting.value, reason);
  }
}

function rememberUnreadable(collection: Collection, user: Json, reason: string): void {
  const id = idOf(user);
  if (id !== "") collection.unreadable.set(id, reason);
}

/** The id of something that may be broken otherwise; "" when the id is. */
function idOf(value: Json): string {
  try {
    return isObject(value) ? referenceOf(value, "id") : "";
  } catch (error) {
    refusalReason(error);
    return "";
  }
}
